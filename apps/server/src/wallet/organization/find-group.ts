import type { Chain, ChainGroup } from '@portico/chain-client/chain'
import { parseJson } from '@portico/contracts/parse-json'
import * as z from 'zod/mini'
import type { OrganizationDraft } from './organization-drafts.store.ts'

const Metadata = z.object({ id: z.string() })

/**
 * Returns the policy address of a draft's group once it is on the chain. Anyone can create a group that names the
 * draft, so only a self-administered group with the controlling wallet as its only member counts.
 */
export async function findGroup(
  chain: Chain,
  { id, walletAddress: wallet }: OrganizationDraft,
): Promise<string | undefined> {
  const candidates = (await chain.groupsOfMember(wallet)).filter((group) => draftOf(group) === id)
  for (const group of candidates.toSorted((a, b) => Number(a.id) - Number(b.id))) {
    const members = await chain.membersOfGroup(group.id)
    if (members.length !== 1 || members[0]?.address !== wallet) continue
    const policies = await chain.policiesOfGroup(group.id)
    const own = policies.find(({ address, admin }) => address === admin && address === group.admin)
    if (own !== undefined) return own.address
  }
  return undefined
}

/** The draft named in a group's metadata, which can be anything in groups that others created. */
function draftOf({ metadata }: ChainGroup): string | undefined {
  return Metadata.safeParse(parseJson(metadata)).data?.id
}
