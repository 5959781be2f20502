import { ROUTER_BASE } from '@portico/contracts/limits'

/** The path and query of the current page; the query may be empty. */
export interface Here {
  readonly path: string
  readonly query: string
}

/** The current path and query as a redirect target. */
export function pathAndQuery({ path, query }: Here): string {
  return query === '' ? path : `${path}?${query}`
}

/** Not `/\/+$/`: that expression takes quadratic time on a path of many slashes (ReDoS). */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

/** The page to create a first account, returning to `here` (§2.2). */
export function createWalletAddress(here: string): string {
  return `${ROUTER_BASE}/wallet/create-wallet?redirectUrl=${encodeURIComponent(here)}`
}

/** The page to choose the account that controls a new organization, returning to `here` (§2.2). */
export function selectAccountAddress(here: string): string {
  return `${ROUTER_BASE}/wallet/organization/select-account?redirectUrl=${encodeURIComponent(here)}`
}

const WALLET_PAGE = `${ROUTER_BASE}/wallet`

/** The page to connect the wallet of an existing token (§4.2), returning to `here`. */
export function connectAddress(here: string): string {
  return sectionAddress('Connect', here)
}

/** The page to connect and verify a wallet that is not attached yet (§4.2), returning to `here`. */
export function verifyAddress(here: string): string {
  return sectionAddress('Verify', here)
}

/** The page to verify an attached wallet, or to convert one of the old type (§4.2), returning to `here`. */
export function verifyWalletAddress(walletAddress: string, here: string): string {
  return `${verifyAddress(here)}&walletAddress=${encodeURIComponent(walletAddress)}`
}

/**
 * The wallet page at Connect, if the target is the wallet page: an account that was selected and connected on another
 * page matches there immediately and does not have to be chosen again.
 */
export function atConnect(target: string): string | undefined {
  return atSection('Connect', target)
}

type Section = 'Connect' | 'Verify'

function sectionAddress(section: Section, here: string): string {
  return (
    atSection(section, here) ??
    `${WALLET_PAGE}?section=${section}&redirectUrl=${encodeURIComponent(here)}`
  )
}

function atSection(section: Section, target: string): string | undefined {
  const [path = '', ...rest] = target.split('?')
  if (path !== WALLET_PAGE) return undefined
  const query = new URLSearchParams(rest.join('?'))
  query.delete('walletAddress')
  query.delete('groupPolicyAddress')
  query.set('section', section)
  return `${path}?${query}`
}

/**
 * The page to convert an old wallet (§2.2), returning to `href`. The API base is always the page's own origin
 * (§7.1), without adding or removing `www.` or `test.` (docs/decisions/0026).
 */
export function convertAddress({ origin, href }: URL, walletAddress: string): string {
  const wallet = encodeURIComponent(walletAddress)
  return `${origin}${ROUTER_BASE}/wallet/provenance/${wallet}/convert?redirectUrl=${encodeURIComponent(href)}`
}

/** The login page, returning to `here` (§2.2). */
export function loginPathBefore(here: string): string {
  return `${ROUTER_BASE}/login?redirectUrl=${encodeURIComponent(here)}`
}
