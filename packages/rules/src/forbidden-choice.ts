import type { WalletType } from '@portico/contracts/wallet'

/** Where a 403 on choosing an account leads (§4.2): an old wallet is converted, any other is verified. */
export function forbiddenChoice(type: WalletType): 'Verify' | 'Provenance' {
  return type === 'PROVENANCE' ? 'Provenance' : 'Verify'
}
