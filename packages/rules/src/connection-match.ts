import type { Credentials } from './chosen-credentials.ts'

/** The address of the connected wallet, and the group it represents. */
export interface ConnectedWallet {
  readonly address: string
  readonly group?: string | undefined
}

/** Whether the connected wallet matches the chosen account (§4.2). */
export type ConnectionMatch = 'matches' | 'mismatch' | 'missing'

/**
 * Compares the connected wallet with the selected token's `addr` and `grp` (§4.2). If it is missing, a connection is
 * needed; if it does not match, it is disconnected. If the token has no group, the wallet must not represent one.
 */
export function connectionMatch(
  connected: ConnectedWallet | undefined,
  { walletAddress, groupPolicyAddress }: Credentials,
): ConnectionMatch {
  if (connected === undefined) return 'missing'
  const same = equal(connected.address, walletAddress) && equal(connected.group, groupPolicyAddress)
  return same ? 'matches' : 'mismatch'
}

/** Bech32 is case-insensitive (BIP-173). */
function equal(one: string | undefined, other: string | undefined): boolean {
  return one?.toLowerCase() === other?.toLowerCase()
}
