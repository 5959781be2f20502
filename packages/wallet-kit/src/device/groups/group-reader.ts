/** What the wallet reads from the chain about the groups of its accounts. It decides nothing: the keeper signs, the chain counts. */
import type { Chain, ChainGroup } from '@portico/chain-client/chain'
import type { Proposal, ProposalResult } from '@portico/chain-client/proposals'
import { escapeInvisible } from '@portico/contracts/invisible-characters'

/** A group that an account of this wallet is a member of. */
export interface MemberGroup {
  readonly id: string
  readonly policyAddress: string
  /** What the group calls itself. Anyone can give a group any name. */
  readonly name: string | undefined
  readonly members: readonly GroupMember[]
  /** How many must agree; undefined if the group decides in another way. */
  readonly threshold: number | undefined
  /** Whether the group changes itself, by proposals of its members. */
  readonly isSelfAdministered: boolean
}

export interface GroupMember {
  readonly address: string
  readonly weight: number
  /** The name in the group's metadata of the member, if any. */
  readonly name: string | undefined
}

/** Every function throws a `Refusal` if the node does not respond. */
export interface GroupReader {
  /** What the groups of these accounts can still vote on or carry out, newest first. */
  readonly listProposals: (accounts: readonly string[]) => Promise<readonly Proposal[]>
  /** Undefined if the node has deleted it, as it does once a proposal was carried out. */
  readonly readProposal: (id: string) => Promise<Proposal | undefined>
  readonly readResult: (id: string) => Promise<ProposalResult>
  readonly listGroups: (accounts: readonly string[]) => Promise<readonly MemberGroup[]>
}

/** `clock` is in epoch milliseconds. */
export function groupReader(chain: Chain, clock: () => number): GroupReader {
  const proposals = () => import('@portico/chain-client/proposals')
  const groupsOfMember = () => import('@portico/chain-client/groups-of-member')

  async function groupsOf(account: string): Promise<readonly MemberGroup[]> {
    const { MAX_GROUPS, groupsToRead, interleave, emptyIfUnreadable } = await groupsOfMember()
    const groups = groupsToRead(await chain.groupsOfMember(account))
    const found = await Promise.all(groups.map((group) => emptyIfUnreadable(policiesOf(group))))
    return interleave(found.flat(), MAX_GROUPS)
  }

  /** A group once for each of its policies. */
  async function policiesOf(group: ChainGroup): Promise<readonly MemberGroup[]> {
    const { id, admin, metadata } = group
    const [{ nameInMetadata }, { ownPolicyFirst }, policies, members] = await Promise.all([
      proposals(),
      groupsOfMember(),
      chain.policiesOfGroup(id),
      chain.membersOfGroup(id),
    ])
    return ownPolicyFirst(policies, group).map((policy) => ({
      id,
      policyAddress: policy.address,
      name: shownName(nameInMetadata(metadata)),
      members: members.map((member) => ({
        address: member.address,
        weight: Number(member.weight),
        name: shownName(nameInMetadata(member.metadata)),
      })),
      threshold: thresholdOf(policy.decision_policy),
      isSelfAdministered: admin === policy.address && policy.admin === policy.address,
    }))
  }

  return {
    async listProposals(accounts) {
      const { listOpenProposals } = await import('@portico/chain-client/open-proposals')
      const lists = await Promise.all(
        accounts.map((account) => listOpenProposals(chain, account, clock())),
      )
      return unique(lists.flat(), ({ id }) => id).toSorted(
        (one, other) => Number(other.id) - Number(one.id),
      )
    },
    readProposal: async (id) => (await proposals()).readProposal(chain, id, clock()),
    readResult: async (id) => (await proposals()).readProposalResult(chain, id, clock()),
    listGroups: async (accounts) =>
      unique((await Promise.all(accounts.map(groupsOf))).flat(), (group) => group.policyAddress),
  }
}

const shownName = (name: string | undefined) =>
  name === undefined ? undefined : escapeInvisible(name.trim())

const thresholdOf = ({ threshold }: { readonly threshold?: string | undefined }) =>
  threshold === undefined ? undefined : Number(threshold)

function unique<Value>(values: readonly Value[], keyOf: (value: Value) => string): Value[] {
  return [...new Map(values.map((value) => [keyOf(value), value])).values()]
}
