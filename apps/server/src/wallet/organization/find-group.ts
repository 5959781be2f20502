import * as z from 'zod/mini'
import type { Chain, ChainGroup } from '../chain/chain.ts'
import type { OrganizationDraft } from './organization-drafts.store.ts'

const Metadata = z.object({ id: z.string() })

/**
 * The address of the policy that a draft's group acts as, once it is on the chain. Anybody can make a group that claims
 * the same draft, so only one counts that the controlling wallet is the only member of, and that administers itself.
 */
export async function findGroup(
  chain: Chain,
  { id, wallet_address: wallet }: OrganizationDraft,
): Promise<string | undefined> {
  const named = (await chain.groupsOfMember(wallet)).filter((group) => draftOf(group) === id)
  for (const group of named.toSorted((a, b) => Number(a.id) - Number(b.id))) {
    const members = await chain.membersOfGroup(group.id)
    if (members.length !== 1 || members[0]?.address !== wallet) continue
    const policies = await chain.policiesOfGroup(group.id)
    const own = policies.find(({ address, admin }) => address === admin && address === group.admin)
    if (own !== undefined) return own.address
  }
  return undefined
}

function draftOf({ metadata }: ChainGroup): string | undefined {
  try {
    return Metadata.safeParse(JSON.parse(metadata)).data?.id
  } catch {
    // Groups of others say about themselves what they like.
    return undefined
  }
}
