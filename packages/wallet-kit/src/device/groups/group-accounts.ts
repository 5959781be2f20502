import type { Proposal } from '@portico/chain-client/proposals'
import type { WalletAccount } from '../../key-keeper.ts'

/** The user's own names. Anyone can create a group with any name and add the user to it. */
export function accountNames(accounts: readonly WalletAccount[]) {
  const names = new Map(accounts.map(({ address, name }) => [address, name]))
  return (address: string) => names.get(address)
}

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
