/**
 * What wallets read of the groups that an address belongs to. Anyone can add an address to their own groups, so a group with
 * many policies, proposals or members hides no other group, and neither do many groups.
 */
import { Refusal } from '@portico/contracts/errors'
import type { ChainPolicy } from './chain.ts'

/** Groups per account that are read. */
export const GROUPS_MAXIMUM = 50

/** Of groups in order of age, the first and the last: groups that others create later hide no group that was there before. */
export function groupsToRead<Group>(groups: readonly Group[]): readonly Group[] {
  const half = GROUPS_MAXIMUM / 2
  return groups.length <= GROUPS_MAXIMUM
    ? groups
    : [...groups.slice(0, half), ...groups.slice(-half)]
}

/** The policies of a group, the one that administers the group first. */
export const ownPolicyFirst = (
  policies: readonly ChainPolicy[],
  { admin }: { readonly admin: string },
): readonly ChainPolicy[] =>
  policies.toSorted((one, other) => Number(other.address === admin) - Number(one.address === admin))

/** The first value of each list, then the second of each, and so on. */
export function inTurn<Value>(lists: readonly (readonly Value[])[], maximum: number): Value[] {
  return lists
    .flatMap((list) => list.map((value, turn) => ({ value, turn })))
    .toSorted((one, other) => one.turn - other.turn)
    .slice(0, maximum)
    .map(({ value }) => value)
}

/**
 * A value in a list, or none if the node refuses to show it or shows it in another format. A node that does not respond
 * fails the whole list.
 */
export async function unlessUnreadable<Value>(reading: Promise<Value>): Promise<Value[]> {
  try {
    return [await reading]
  } catch (error) {
    const isUnreadable =
      error instanceof Refusal && ['chain-faulty', 'transaction-refused'].includes(error.code)
    if (!isUnreadable) throw error
    return []
  }
}
