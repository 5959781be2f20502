import type { Chain, ChainGroup } from '@portico/chain-client/chain'
import { parseJson } from '@portico/contracts/parse-json'
import * as z from 'zod/mini'
import { membersOf, type OrganizationDraft } from './organization-drafts.store.ts'

const Metadata = z.object({ id: z.string() })

/**
 * Returns the policy address of a draft's group once it is on the chain. Anyone can create a group that names the draft, so
 * only a self-administered group with exactly the draft's members and threshold counts.
 */
export async function findGroup(
  chain: Chain,
  draft: OrganizationDraft,
): Promise<string | undefined> {
  const groups = await chain.groupsOfMember(draft.walletAddress)
  const candidates = groups.filter((group) => draftOf(group) === draft.id)
  const expected = membersOf(draft)
  for (const group of candidates.toSorted((a, b) => Number(a.id) - Number(b.id))) {
    const members = new Map(
      (await chain.membersOfGroup(group.id)).map(({ address, weight }) => [address, weight]),
    )
    const hasMembers =
      members.size === expected.length &&
      expected.every(({ address }) => Number(members.get(address)) === 1)
    if (!hasMembers) continue
    const policies = await chain.policiesOfGroup(group.id)
    const own = policies.find(
      ({ address, admin, decision_policy: { threshold } }) =>
        address === admin && address === group.admin && Number(threshold) === draft.threshold,
    )
    if (own !== undefined) return own.address
  }
  return undefined
}

/** The draft named in a group's metadata, which is untrusted. */
function draftOf({ metadata }: ChainGroup): string | undefined {
  return Metadata.safeParse(parseJson(metadata)).data?.id
}
