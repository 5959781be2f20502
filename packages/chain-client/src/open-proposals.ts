/** The proposals that wait for a member. */
import type { Chain, ChainGroup, ChainProposal } from './chain.ts'
import { emptyIfUnreadable, groupsToRead, interleave, ownPolicyFirst } from './groups-of-member.ts'
import { describeProposal, type FoundProposal, type Proposal } from './proposals.ts'

/** How long after its voting period an accepted proposal can be executed: two weeks, the module's default. */
const MAX_EXECUTION_PERIOD_MS = 1_209_600_000

/** The maximum number of policies read per group and proposals per account. */
const MAX_POLICIES = 10
const MAX_PROPOSALS = 100

/** Lists what an address can still vote on or execute, newest first. */
export async function listOpenProposals(
  chain: Chain,
  member: string,
  at: number,
): Promise<readonly Proposal[]> {
  const groups = groupsToRead(await chain.groupsOfMember(member))
  const found = await Promise.all(
    groups.map((group) => emptyIfUnreadable(unfinishedProposals(chain, group))),
  )
  const described = await Promise.all(
    // A proposal that has been executed in the meantime has no votes anymore.
    interleave(found.flat(), MAX_PROPOSALS).map((each) =>
      emptyIfUnreadable(describeProposal(chain, each, at)),
    ),
  )
  return described
    .flat()
    .filter(
      ({ status, votingEndsAt }) =>
        status === 'open' ||
        ((status === 'accepted' || status === 'failed') &&
          at <= votingEndsAt + MAX_EXECUTION_PERIOD_MS),
    )
    .toSorted((one, other) => Number(other.id) - Number(one.id))
}

async function unfinishedProposals(
  chain: Chain,
  group: ChainGroup,
): Promise<readonly FoundProposal[]> {
  const policies = ownPolicyFirst(await chain.policiesOfGroup(group.id), group)
  const found = await Promise.all(
    policies.slice(0, MAX_POLICIES).map(async (policy) => {
      const proposals = await chain.proposalsOfPolicy(policy.address)
      return proposals.filter(isUnfinished).map((proposal) => ({ proposal, policy }))
    }),
  )
  const unfinished = interleave(found, MAX_PROPOSALS)
  const members = unfinished.length === 0 ? [] : await chain.membersOfGroup(group.id)
  return unfinished.map((each) => ({ ...each, group, members }))
}

function isUnfinished({ status, executor_result: result }: ChainProposal): boolean {
  return (
    status === 'PROPOSAL_STATUS_SUBMITTED' ||
    (status === 'PROPOSAL_STATUS_ACCEPTED' && result !== 'PROPOSAL_EXECUTOR_RESULT_SUCCESS')
  )
}
