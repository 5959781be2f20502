import type { AccountAccess, AccountListItem } from '@portico/contracts/wallet'

/** The user's accounts. */
export interface Accounts {
  readonly items: readonly AccountListItem[]
  /** The account this session acts as and the wallet that signs for it; undefined if none is selected. */
  readonly acting: AccountAccess | undefined
}
