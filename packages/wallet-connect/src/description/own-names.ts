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
  const names = new Map(accounts.map(({ address, name }) => [address.toLowerCase(), name]))
  if (group !== undefined && group.name !== '' && !isTaken(group, accounts)) {
    const address = group.address.toLowerCase()
    names.set(address, names.get(address) ?? group.name)
  }
  return (address) => names.get(address.toLowerCase())
}

/** A group of these accounts under the naming rule. Its name is empty, and its address stands instead, if it may not be shown. */
export function ownGroup(accounts: readonly OwnAccount[], address: string): Named {
  const group = accounts
    .flatMap(({ groups = [] }) => groups)
    .find((each) => isSame(each.address, address))
  return { name: ownNames(accounts, group)(address) ?? '', address }
}

const isTaken = (group: Named, accounts: readonly OwnAccount[]) =>
  accounts
    .flatMap((account) => [account, ...(account.groups ?? [])])
    .some(
      ({ name, address }) =>
        !isSame(address, group.address) && comparable(name) === comparable(group.name),
    )

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Names that look alike to a reader who compares them at a glance. */
const comparable = (name: string) =>
  name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
