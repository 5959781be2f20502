import type { Credentials } from './chosen-credentials.ts'
import { tokenClaims } from './token-claims.ts'

/** Where the wallet modal starts (§4.2). */
export type WalletOpening =
  | { readonly section: 'Select' }
  | { readonly section: 'Connect'; readonly chosen: Credentials }
  /** Of the account with that wallet; of a wallet that is new to the person where none is named. */
  | { readonly section: 'Verify'; readonly walletAddress: string | undefined }
  | { readonly section: 'Select'; readonly fault: 'missing-addr-claim' }

/** The names that say in an address where the modal starts. */
const NAMES = {
  section: 'section',
  wallet: 'walletAddress',
  group: 'groupPolicyAddress',
} as const

/**
 * Decides the start: at Select, at a section that is given, or at Connect when connecting from an existing token. The
 * token's `addr` says which wallet, unless the page intends another address; without either that is an error (§5).
 */
export function walletOpening(query: URLSearchParams, token: string | undefined): WalletOpening {
  const section = query.get(NAMES.section)
  const intended = query.get(NAMES.wallet)
  if (section === 'Verify') return { section, walletAddress: intended ?? undefined }
  if (section !== 'Connect') return { section: 'Select' }
  const { addr, grp } = tokenClaims(token)
  const walletAddress = intended ?? addr
  if (walletAddress === undefined) return { section: 'Select', fault: 'missing-addr-claim' }
  const group = intended === null ? grp : query.get(NAMES.group)
  const chosen = { walletAddress, ...(group ? { groupPolicyAddress: group } : {}) }
  return { section: 'Connect', chosen }
}

/** The query of a page whose modal stands there, so that a reload starts there again; the rest of it stays. */
export function openingInQuery(query: URLSearchParams, opening: WalletOpening): URLSearchParams {
  const written = new URLSearchParams(query)
  for (const name of Object.values(NAMES)) written.delete(name)
  if (opening.section === 'Select') return written
  const { walletAddress } = opening.section === 'Connect' ? opening.chosen : opening
  const groupPolicyAddress =
    opening.section === 'Connect' ? opening.chosen.groupPolicyAddress : undefined
  written.set(NAMES.section, opening.section)
  if (walletAddress !== undefined) written.set(NAMES.wallet, walletAddress)
  if (groupPolicyAddress !== undefined) written.set(NAMES.group, groupPolicyAddress)
  return written
}
