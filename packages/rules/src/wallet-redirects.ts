import { ROUTER_BASE } from '@portico/contracts/limits'

/** The page as an address: its path and its query, which may be empty. */
export interface Here {
  readonly path: string
  readonly query: string
}

/** The current path and query, as redirects carry them. */
export function pathAndQuery({ path, query }: Here): string {
  return query === '' ? path : `${path}?${query}`
}

/** Where somebody makes an account who has none, and comes back from (§2.2). */
export function createWalletAddress(here: string): string {
  return `${ROUTER_BASE}/wallet/create-wallet?redirectUrl=${encodeURIComponent(here)}`
}

/** Where somebody chooses who controls a new organization, and comes back from (§2.2). */
export function selectAccountAddress(here: string): string {
  return `${ROUTER_BASE}/wallet/organization/select-account?redirectUrl=${encodeURIComponent(here)}`
}

/** Where the wallet of an existing token is connected (§4.2), on the way to `here`. */
export function connectAddress(here: string): string {
  return `${ROUTER_BASE}/wallet?section=Connect&redirectUrl=${encodeURIComponent(here)}`
}

/** Where an old wallet is converted (§2.2); `api` is the API's base, `here` the whole current address. */
export function convertAddress(api: string, walletAddress: string, here: string): string {
  const wallet = encodeURIComponent(walletAddress)
  return `${api}${ROUTER_BASE}/wallet/provenance/${wallet}/convert?redirectUrl=${encodeURIComponent(here)}`
}

/** Where somebody logs in first, and comes back from (§2.2). */
export function loginFirst(here: string): string {
  return `${ROUTER_BASE}/login?redirectUrl=${encodeURIComponent(here)}`
}
