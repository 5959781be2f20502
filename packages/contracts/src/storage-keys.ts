/** Browser storage keys (§3, §9). Pages on the lender's other origins read some of them. */
export const STORAGE_KEYS = {
  jwt: 'jwt',
  walletConnect: 'walletconnect-js',
  dismissedBanners: 'dismissed-banners',
  moduleReloads: 'module-reloads',
  /** The prefix of an operator's unsaved edits. */
  consoleEdits: 'portico-console-edits',
  ownerWallet: 'ownerWallet',
  organization: 'portico-organization',
  /** The last gatekeeper flow request. */
  flowRequest: 'last-gatekeeper-flow-request',
  hostedWallet: 'portico-hosted-wallet',
  lastWallet: 'portico-last-wallet',
  telemetry: 'portico-telemetry',
  /** The prefix of a viewing session's token, followed by the session's ID. */
  impersonationJwt: 'portico-impersonation-jwt-',
} as const

/** The prefix of the stored token and of the authorization header (§3). */
export const BEARER_PREFIX = 'Bearer '

/** Dispatched on `window` when a new identity token is stored (§7.4). */
export const IDENTITY_TOKEN_UPDATED = 'identity-token-updated'
