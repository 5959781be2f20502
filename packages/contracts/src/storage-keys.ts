/** Names under which the browser keeps values (§3, §9); pages of other origins of the lender read some of them. */
export const STORAGE_KEYS = {
  jwt: 'jwt',
  walletConnect: 'walletconnect-js',
  dismissedBanners: 'dismissed-banners',
  moduleReloads: 'module-reloads',
  ownerWallet: 'ownerWallet',
  organization: 'portico-organization',
  hostedWallet: 'portico-hosted-wallet',
  telemetry: 'portico-telemetry',
} as const

/** The stored token and the authorization header carry this prefix (§3). */
export const BEARER_PREFIX = 'Bearer '

/** Fired on `window` when another identity token was stored (§7.4). */
export const IDENTITY_TOKEN_UPDATED = 'identity-token-updated'
