import type { Proposal } from '@portico/chain-client/proposals'
import type { WalletAccount } from '../../key-keeper.ts'

/** The first account of this wallet that can still vote. */
export function voterOf(
  { status, members }: Pick<Proposal, 'status' | 'members'>,
  accounts: readonly Pick<WalletAccount, 'address' | 'name'>[],
): Pick<WalletAccount, 'address' | 'name'> | undefined {
  return status === 'open'
    ? accounts.find((account) =>
        members.some(({ address, vote }) => address === account.address && vote === undefined),
      )
    : undefined
}
