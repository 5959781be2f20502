import type { Credentials } from './chosen-credentials.ts'

/** The connected wallet as far as it is compared: whose it is, and which group it represents. */
export interface ConnectedWallet {
  readonly address: string
  readonly group?: string | undefined
}

/** What the connection is to the account that was chosen (§4.2). */
export type ConnectionMatch = 'matches' | 'mismatch' | 'missing'

/**
 * Compares the connected wallet with the selected token's `addr` and `grp` (§4.2). Where it is missing a connection is
 * needed; one that does not match is disconnected. Without a group in the token the wallet must represent none.
 */
export function connectionMatch(
  connected: ConnectedWallet | undefined,
  { walletAddress, groupPolicyAddress }: Credentials,
): ConnectionMatch {
  if (connected === undefined) return 'missing'
  const same = equal(connected.address, walletAddress) && equal(connected.group, groupPolicyAddress)
  return same ? 'matches' : 'mismatch'
}

/** Bech32 may be written in upper case (BIP-173). */
function equal(one: string | undefined, other: string | undefined): boolean {
  return one?.toLowerCase() === other?.toLowerCase()
}
