import type { Credentials } from './chosen-credentials.ts'
import { tokenClaims } from './token-claims.ts'

/** Where the wallet modal starts (§4.2). */
export type WalletOpening =
  | { readonly section: 'Select' }
  | { readonly section: 'Connect'; readonly chosen: Credentials }
  | { readonly section: 'Select'; readonly fault: 'missing-addr-claim' }

/**
 * Decides the start: at Select, at a section that is given, or at Connect when connecting from an existing token. The
 * token's `addr` says which wallet, unless the page intends another address; without either that is an error (§5).
 */
export function walletOpening(query: URLSearchParams, token: string | undefined): WalletOpening {
  if (query.get('section') !== 'Connect') return { section: 'Select' }
  const { addr, grp } = tokenClaims(token)
  const intended = query.get('walletAddress')
  const walletAddress = intended ?? addr
  if (walletAddress === undefined) return { section: 'Select', fault: 'missing-addr-claim' }
  const group = intended === null ? grp : query.get('groupPolicyAddress')
  const chosen = { walletAddress, ...(group ? { groupPolicyAddress: group } : {}) }
  return { section: 'Connect', chosen }
}
