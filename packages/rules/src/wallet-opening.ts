import type { Credentials } from './chosen-credentials.ts'
import { tokenClaims } from './token-claims.ts'

/** Where the wallet modal starts (§4.2). */
export type WalletOpening =
  | { readonly section: 'Select' }
  | { readonly section: 'Connect'; readonly chosen: Credentials }
  /** Verifies the account with that wallet, or a new wallet if the address is undefined. */
  | { readonly section: 'Verify'; readonly walletAddress: string | undefined }
  | { readonly section: 'Select'; readonly error: 'missing-addr-claim' }

/** The query parameters that determine where the modal starts. */
const PARAMETERS = {
  section: 'section',
  wallet: 'walletAddress',
  group: 'groupPolicyAddress',
} as const

/**
 * Decides the start: at Select, at the section in the query, or at Connect when connecting from an existing token. The
 * token's `addr` determines the wallet, unless the query has another address; without either it is an error (§5).
 */
export function walletOpening(query: URLSearchParams, token: string | undefined): WalletOpening {
  const section = query.get(PARAMETERS.section)
  const intended = query.get(PARAMETERS.wallet)
  if (section === 'Verify') return { section, walletAddress: intended ?? undefined }
  if (section !== 'Connect') return { section: 'Select' }
  const { addr, grp } = tokenClaims(token)
  const walletAddress = intended ?? addr
  if (walletAddress === undefined) return { section: 'Select', error: 'missing-addr-claim' }
  const group = intended === null ? grp : query.get(PARAMETERS.group)
  const chosen = { walletAddress, ...(group ? { groupPolicyAddress: group } : {}) }
  return { section: 'Connect', chosen }
}

/** Writes the modal's position to the page's query, so that a reload starts there again. Other parameters stay. */
export function openingInQuery(query: URLSearchParams, opening: WalletOpening): URLSearchParams {
  const updated = new URLSearchParams(query)
  for (const name of Object.values(PARAMETERS)) updated.delete(name)
  if (opening.section === 'Select') return updated
  const { walletAddress } = opening.section === 'Connect' ? opening.chosen : opening
  const groupPolicyAddress =
    opening.section === 'Connect' ? opening.chosen.groupPolicyAddress : undefined
  updated.set(PARAMETERS.section, opening.section)
  if (walletAddress !== undefined) updated.set(PARAMETERS.wallet, walletAddress)
  if (groupPolicyAddress !== undefined) updated.set(PARAMETERS.group, groupPolicyAddress)
  return updated
}
