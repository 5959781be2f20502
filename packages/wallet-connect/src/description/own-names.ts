import type { NameOf } from './describe-message.ts'

interface Named {
  readonly name: string
  readonly address: string
}

/** One of the user's own accounts, with the groups that it may act for. */
interface OwnAccount extends Named {
  readonly groups?: readonly Named[]
}

/**
 * The naming rule of all wallets. An address is shown with a name only if it is one of the user's own wallet accounts, or
 * the group of this request. Anyone can create a group with any name and add the user to it, so a group's name counts only
 * where the user acts for that group, and never if one of the user's accounts, or another of their groups, has the same name.
 */
export function ownNames(accounts: readonly OwnAccount[], group?: Named): NameOf {
  const isShown =
    group?.name &&
    withGroups(accounts).every(
      ({ name, address }) =>
        address === group.address || comparable(name) !== comparable(group.name),
    )
  // The accounts come last, so that a group cannot rename one.
  const named = isShown ? [group, ...accounts] : accounts
  const names = new Map(named.map(({ address, name }) => [address.toLowerCase(), name]))
  return (address) => names.get(address.toLowerCase())
}

/**
 * One of these accounts or their groups, under the naming rule. The name is empty, and the address stands instead, if it may
 * not be shown.
 */
export function ownNamed(accounts: readonly OwnAccount[], address: string): Named {
  const named = withGroups(accounts).find((each) => each.address === address)
  return { name: ownNames(accounts, named)(address) ?? '', address }
}

const withGroups = (accounts: readonly OwnAccount[]) =>
  accounts.flatMap((account) => [account, ...(account.groups ?? [])])

/** Names that look alike to a reader who compares them at a glance: spaces make no difference. */
const comparable = (name: string) => name.normalize('NFKC').toLowerCase().replace(/\s/g, '')
