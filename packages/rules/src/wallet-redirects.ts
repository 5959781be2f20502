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

const WALLET_PAGE = `${ROUTER_BASE}/wallet`

/** Where the wallet of an existing token is connected (§4.2), on the way to `here`. */
export function connectAddress(here: string): string {
  return atConnect(here) ?? `${WALLET_PAGE}?section=Connect&redirectUrl=${encodeURIComponent(here)}`
}

/**
 * The wallet page at Connect, for a target that is the wallet page: an account that was selected and connected on another
 * page matches there at once, and does not have to be chosen again.
 */
export function atConnect(target: string): string | undefined {
  const [path = '', ...rest] = target.split('?')
  if (path !== WALLET_PAGE) return undefined
  const query = new URLSearchParams(rest.join('?'))
  query.delete('walletAddress')
  query.delete('groupPolicyAddress')
  query.set('section', 'Connect')
  return `${path}?${query}`
}

/**
 * Where an old wallet is converted (§2.2); `here` is the current address. The API base is always the page's own origin
 * (§7.1): it keeps `www.` and `test.` as they are and never adds or removes one (docs/decisions/0026).
 */
export function convertAddress({ origin, href }: URL, walletAddress: string): string {
  const wallet = encodeURIComponent(walletAddress)
  return `${origin}${ROUTER_BASE}/wallet/provenance/${wallet}/convert?redirectUrl=${encodeURIComponent(href)}`
}

/** Where somebody logs in first, and comes back from (§2.2). */
export function loginFirst(here: string): string {
  return `${ROUTER_BASE}/login?redirectUrl=${encodeURIComponent(here)}`
}
