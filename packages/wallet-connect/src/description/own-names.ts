import type { NameOf } from './describe-message.ts'

interface Named {
  readonly name: string
  readonly address: string
}

/**
 * The naming rule of all wallets. An address is shown with a name only if it is one of the user's own wallet accounts, or
 * the group of this request. Anyone can create a group with any name and add the user to it, so a group's name counts only
 * where the user acts for that group, and never if one of the user's accounts has the same name.
 */
export function ownNames(accounts: readonly Named[], group?: Named): NameOf {
  const names = new Map(accounts.map(({ address, name }) => [address.toLowerCase(), name]))
  const taken = new Set(accounts.map(({ name }) => comparable(name)))
  if (group !== undefined && !taken.has(comparable(group.name))) {
    const address = group.address.toLowerCase()
    names.set(address, names.get(address) ?? group.name)
  }
  return (address) => names.get(address.toLowerCase())
}

/** Names that look alike to a reader who compares them at a glance. */
const comparable = (name: string) =>
  name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
