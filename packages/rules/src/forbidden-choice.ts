import type { WalletType } from '@portico/contracts/wallet'

/** The section after a 403 on choosing an account (§4.2): old wallets are converted, all others verified. */
export function forbiddenChoice(type: WalletType): 'Verify' | 'Provenance' {
  return type === 'PROVENANCE' ? 'Provenance' : 'Verify'
}
