/**
 * Group proposals as wallets display them: who voted, what is needed, and how they ended. A node deletes executed proposals;
 * their result is then read from the transaction that executed them.
 */
import { parseJson } from '@portico/contracts/parse-json'
import * as z from 'zod/mini'
import { eventAttributes, toPageFormat } from './broadcast-result.ts'
import type { Chain, ChainPolicy, ChainProposal, TransactionResponse } from './chain.ts'
import type { VoteChoice } from './group-messages.ts'
import { type ProposedMessage, packJsonMessage } from './pack-json-message.ts'

export type ProposalStatus =
  /** Waiting for votes. */
  | 'open'
  /** Enough votes, but not executed yet. */
  | 'accepted'
  | 'executed'
  /** Accepted, but its execution failed and can be retried. */
  | 'failed'
  | 'rejected'
  /** The voting period ended without enough votes. */
  | 'expired'
  /** The group's decision policy changed. */
  | 'aborted'
  | 'withdrawn'

export interface ProposalMember {
  readonly address: string
  readonly weight: string
  /** The member's name in the group's metadata, if any. */
  readonly name: string | undefined
  readonly vote: VoteChoice | undefined
}

/** The weight of each kind of vote, as decimals. */
export interface ProposalTally {
  readonly yes: string
  readonly no: string
  readonly abstain: string
  readonly noWithVeto: string
}

export interface Proposal {
  readonly id: string
  readonly groupId: string
  /** The group's own name. Anyone can give a group any name. */
  readonly groupName: string | undefined
  readonly policyAddress: string
  readonly proposers: readonly string[]
  readonly title: string
  readonly summary: string
  readonly messages: readonly ProposedMessage[]
  /** In epoch milliseconds. */
  readonly submittedAt: number
  readonly votingEndsAt: number
  readonly members: readonly ProposalMember[]
  readonly tally: ProposalTally
  /** The weight or the share (`0.5`) of yes votes that is needed. */
  readonly required: { readonly threshold: string } | { readonly percentage: string }
  readonly status: ProposalStatus
  /** Why its execution failed. */
  readonly log: string | undefined
}

const CHOICES: Readonly<Record<string, VoteChoice>> = {
  VOTE_OPTION_YES: 'yes',
  VOTE_OPTION_NO: 'no',
  VOTE_OPTION_ABSTAIN: 'abstain',
  VOTE_OPTION_NO_WITH_VETO: 'no-with-veto',
}

const Name = z.object({ name: z.string() })

/** The name in the metadata of a group or member. */
export function nameInMetadata(metadata: string): string | undefined {
  const name = Name.safeParse(parseJson(metadata)).data?.name
  return name === undefined || name.trim() === '' ? undefined : name
}

/** Reads a proposal; undefined if the node does not have it or has deleted it. */
export async function readProposal(
  chain: Chain,
  id: string,
  at: number,
): Promise<Proposal | undefined> {
  const proposal = await chain.proposal(id)
  if (proposal === undefined) return undefined
  const policy = await chain.policy(proposal.group_policy_address)
  const [group, members] = await Promise.all([
    chain.group(policy.group_id),
    chain.membersOfGroup(policy.group_id),
  ])
  return describeProposal(chain, { proposal, policy, group, members }, at)
}

/** A proposal with what its description needs. */
export interface FoundProposal {
  readonly proposal: ChainProposal
  readonly policy: ChainPolicy
  readonly group: { readonly id: string; readonly metadata: string }
  readonly members: Awaited<ReturnType<Chain['membersOfGroup']>>
}

export async function describeProposal(
  chain: Chain,
  { proposal, policy, group, members }: FoundProposal,
  at: number,
): Promise<Proposal> {
  const { id } = proposal
  const isFailed = proposal.executor_result === 'PROPOSAL_EXECUTOR_RESULT_FAILURE'
  const [votes, tally, execution] = await Promise.all([
    chain.votesOfProposal(id),
    chain.tallyOfProposal(id),
    isFailed ? chain.executionOfProposal(id) : undefined,
  ])
  const choices = new Map(votes.map(({ voter, option }) => [voter, CHOICES[option]]))
  const { threshold, percentage } = policy.decision_policy
  const required = threshold === undefined ? { percentage: percentage ?? '1' } : { threshold }
  const votingEndsAt = Date.parse(proposal.voting_period_end)
  const total = members.reduce((sum, { weight }) => sum + Number(weight), 0)
  return {
    id,
    groupId: group.id,
    groupName: nameInMetadata(group.metadata),
    policyAddress: policy.address,
    proposers: proposal.proposers,
    title: proposal.title,
    summary: proposal.summary,
    messages: proposal.messages.map(packJsonMessage),
    submittedAt: Date.parse(proposal.submit_time),
    votingEndsAt,
    members: members.map(({ address, weight, metadata }) => ({
      address,
      weight,
      name: nameInMetadata(metadata),
      vote: choices.get(address),
    })),
    tally: {
      yes: tally.yes_count,
      no: tally.no_count,
      abstain: tally.abstain_count,
      noWithVeto: tally.no_with_veto_count,
    },
    required,
    status: statusOf(proposal, {
      isOver: at > votingEndsAt,
      isEnough: (weight) => isEnough(required, weight, total),
      yes: Number(tally.yes_count),
      undecided:
        total -
        [tally.yes_count, tally.no_count, tally.abstain_count, tally.no_with_veto_count]
          .map(Number)
          .reduce((sum, weight) => sum + weight, 0),
    }),
    log: execution && lastExecution(execution, id)?.get('logs'),
  }
}

function statusOf(
  { status, executor_result: result }: ChainProposal,
  votes: {
    readonly isOver: boolean
    readonly isEnough: (weight: number) => boolean
    readonly yes: number
    readonly undecided: number
  },
): ProposalStatus {
  const { isOver, isEnough, yes, undecided } = votes
  switch (status) {
    case 'PROPOSAL_STATUS_SUBMITTED':
      if (isEnough(yes)) return 'accepted'
      return isOver ? 'expired' : 'open'
    case 'PROPOSAL_STATUS_ACCEPTED':
      if (result === 'PROPOSAL_EXECUTOR_RESULT_SUCCESS') return 'executed'
      return result === 'PROPOSAL_EXECUTOR_RESULT_FAILURE' ? 'failed' : 'accepted'
    case 'PROPOSAL_STATUS_REJECTED':
      return isEnough(yes + undecided) ? 'expired' : 'rejected'
    case 'PROPOSAL_STATUS_ABORTED':
      return 'aborted'
    default:
      return 'withdrawn'
  }
}

function isEnough(required: Proposal['required'], weight: number, total: number): boolean {
  return 'threshold' in required
    ? weight >= Math.min(Number(required.threshold), total)
    : total > 0 && weight / total >= Number(required.percentage)
}

/** How a proposal ended. */
export interface ProposalResult {
  readonly status: ProposalStatus
  readonly log: string | undefined
}

/** The result of a proposal, which the node may have deleted. */
export async function readProposalResult(
  chain: Chain,
  id: string,
  at: number,
): Promise<ProposalResult> {
  const proposal = await readProposal(chain, id, at)
  if (proposal !== undefined) return { status: proposal.status, log: proposal.log }
  const execution = await chain.executionOfProposal(id)
  const last = lastExecution(execution, id)
  const isExecuted = last?.get('result') === 'PROPOSAL_EXECUTOR_RESULT_SUCCESS'
  return isExecuted
    ? { status: 'executed', log: undefined }
    : { status: 'expired', log: last?.get('logs') || undefined }
}

/** The outcome of the proposal that a transaction submitted. */
type SubmittedProposal =
  /** `none`: the transaction submitted no proposal. */
  | { readonly status: 'executed' | 'none' }
  | { readonly status: 'failed'; readonly log: string }
  /** It is waiting for other members' votes. */
  | { readonly status: 'pending'; readonly proposalId: string }

/** The outcome of a submitted proposal according to the transaction alone. */
export function submittedProposal(response: unknown): SubmittedProposal {
  const [submitted] = eventAttributes(response, 'cosmos.group.v1.EventSubmitProposal')
  const proposalId = submitted?.get('proposal_id')
  if (proposalId === undefined) return { status: 'none' }
  const executed = lastExecution(response, proposalId)
  switch (executed?.get('result')) {
    case 'PROPOSAL_EXECUTOR_RESULT_SUCCESS':
      return { status: 'executed' }
    case 'PROPOSAL_EXECUTOR_RESULT_FAILURE':
      return { status: 'failed', log: executed?.get('logs') ?? '' }
    default:
      return { status: 'pending', proposalId }
  }
}

const OUTCOMES = {
  rejected: { code: 2, text: (id: string) => `The members of the group rejected proposal ${id}.` },
  expired: {
    code: 3,
    text: (id: string) => `Proposal ${id} expired before enough members of the group agreed.`,
  },
  aborted: {
    code: 4,
    text: (id: string) => `Proposal ${id} ended because the group changed how it decides.`,
  },
  withdrawn: { code: 5, text: (id: string) => `Proposal ${id} was withdrawn.` },
} as const

/** The response for the page (§5): a proposal that was not executed has a nonzero code and a log. */
function responseWithOutcome(
  response: TransactionResponse,
  outcome:
    | { readonly status: 'executed' }
    | { readonly status: 'failed'; readonly log: string }
    | { readonly status: keyof typeof OUTCOMES; readonly proposalId: string },
): TransactionResponse {
  switch (outcome.status) {
    case 'executed':
      return response
    case 'failed':
      return { ...response, codespace: 'portico', code: 1, rawLog: outcome.log }
    default: {
      const { code, text } = OUTCOMES[outcome.status]
      return { ...response, codespace: 'portico', code, rawLog: text(outcome.proposalId) }
    }
  }
}

/**
 * The policy addresses of the groups that proposals belong to, by proposal; without those that the node does not
 * return. Anyone can give a group any name, so wallets show their user's own name for the address.
 */
export async function groupsOfProposals(
  chain: Pick<Chain, 'proposal'>,
  proposalIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    proposalIds.map(async (id) => {
      // The address is optional.
      const proposal = await chain.proposal(id).catch(() => undefined)
      return proposal === undefined ? [] : [[id, proposal.group_policy_address] as const]
    }),
  )
  return new Map(found.flat())
}

const lastExecution = (response: unknown, id: string) =>
  eventAttributes(response, 'cosmos.group.v1.EventExec').findLast(
    (event) => event.get('proposal_id') === id,
  )

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** A proposal and the transaction that submitted it. */
interface FollowedProposal {
  readonly proposalId: string
  readonly txhash: string
}

/** A transaction is found by its events a moment after its block, in which the node deletes the executed proposal. */
const INDEXING_MS = 2000

/**
 * The response for the page that proposed a transaction: the transaction that executed it, or a code other than 0. Undefined
 * while the group has not decided.
 */
export async function responseOfProposal(
  chain: Chain,
  { proposalId, txhash }: FollowedProposal,
  /** Returns the time in epoch milliseconds. */
  clock: () => number,
): Promise<TransactionResponse | undefined> {
  const read = () => readProposalResult(chain, proposalId, clock())
  let { status, log } = await read()
  if (status === 'expired') {
    await pause(INDEXING_MS)
    ;({ status, log } = await read())
    // A node that lags behind does not have the proposal yet.
    if (status === 'expired' && (await chain.transaction(txhash)) === undefined) return undefined
  }
  switch (status) {
    case 'open':
    case 'accepted':
      return undefined
    case 'executed':
    case 'failed': {
      const execution = await chain.executionOfProposal(proposalId)
      if (execution === undefined) return undefined
      return responseWithOutcome(
        toPageFormat(execution),
        status === 'executed' ? { status } : { status, log: log ?? '' },
      )
    }
    case 'rejected':
    case 'expired':
    case 'aborted':
    case 'withdrawn':
      return responseWithOutcome({ txhash }, { status, proposalId })
  }
}
