/**
 * Reads the groups that an address belongs to. Anyone can add an address to their own groups, so neither many groups nor a
 * group with many policies, proposals or members may hide other groups.
 */
import { Refusal } from '@portico/contracts/errors'
import type { ChainPolicy } from './chain.ts'

/** The maximum number of groups read per account. */
export const MAX_GROUPS = 50

/** The oldest and the newest groups, so that groups created by others later cannot hide earlier ones. */
export function groupsToRead<Group>(groups: readonly Group[]): readonly Group[] {
  const half = MAX_GROUPS / 2
  return groups.length <= MAX_GROUPS ? groups : [...groups.slice(0, half), ...groups.slice(-half)]
}

/** A group's policies, starting with the one that administers the group. */
export const ownPolicyFirst = (
  policies: readonly ChainPolicy[],
  { admin }: { readonly admin: string },
): readonly ChainPolicy[] =>
  policies.toSorted((one, other) => Number(other.address === admin) - Number(one.address === admin))

/** The first value of each list, then the second of each, and so on. */
export function interleave<Value>(lists: readonly (readonly Value[])[], maximum: number): Value[] {
  return lists
    .flatMap((list) => list.map((value, turn) => ({ value, turn })))
    .toSorted((one, other) => one.turn - other.turn)
    .slice(0, maximum)
    .map(({ value }) => value)
}

/**
 * The value as a list, or an empty list if the node refuses to return it or uses another format. A node that does not
 * respond fails the whole list.
 */
export async function emptyIfUnreadable<Value>(reading: Promise<Value>): Promise<Value[]> {
  try {
    return [await reading]
  } catch (error) {
    const isUnreadable =
      error instanceof Refusal && ['chain-faulty', 'transaction-refused'].includes(error.code)
    if (!isUnreadable) throw error
    return []
  }
}
