import { isSameAddress } from './bech32.ts'
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
  const same =
    isSameAddress(connected.address, walletAddress) &&
    isSameAddress(connected.group, groupPolicyAddress)
  return same ? 'matches' : 'mismatch'
}
