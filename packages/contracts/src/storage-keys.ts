/** Names under which the browser keeps values (§3, §9); pages of other origins of the lender read some of them. */
export const STORAGE_KEYS = {
  jwt: 'jwt',
  walletConnect: 'walletconnect-js',
  moduleReloads: 'module-reloads',
} as const

/** The stored token and the authorization header carry this prefix (§3). */
export const BEARER_PREFIX = 'Bearer '
