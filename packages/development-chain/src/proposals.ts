/**
 * Proposals of groups, as in the group module of the Cosmos SDK 0.50: its rules, events and errors. A decided proposal
 * and its votes stay in the database, but no transaction can use them, as if they were pruned.
 */
import {
  Exec,
  type MsgExec,
  type MsgSubmitProposal,
  type MsgVote,
  type MsgWithdrawProposal,
} from 'cosmjs-types/cosmos/group/v1/tx'
import { VoteOption } from 'cosmjs-types/cosmos/group/v1/types'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import * as z from 'zod/mini'
import { type Block, type ChainEvent, groupEvent, type Message } from './block.ts'
import type { ChainStore, Proposal } from './chain.store.ts'
import { ChainFailure, ProposalFailure } from './chain-failure.ts'
import { formatDecimal, parseDecimal } from './decimal.ts'
import { decide, MAX_EXECUTION_PERIOD_MS, periodsOf, type Tally } from './decision-policy.ts'
import { assertMetadata, MAX_METADATA_BYTES } from './group-metadata.ts'
import type { ChainVotesTable } from './tables.ts'
import { loadGroup, loadPolicy } from './update-group.ts'

/** Decodes a proposal's message. */
type ReadMessage = (message: Any) => Message

const MAX_SUMMARY_BYTES = 40 * MAX_METADATA_BYTES
/** The latest time that a date can represent. */
const MAX_TIME_MS = 8.64e15
/** The maximum nesting of proposals that execute each other. */
const MAX_LEVEL = 3

const OPTIONS: ReadonlyMap<VoteOption, ChainVotesTable['option']> = new Map([
  [VoteOption.VOTE_OPTION_YES, 'YES'],
  [VoteOption.VOTE_OPTION_ABSTAIN, 'ABSTAIN'],
  [VoteOption.VOTE_OPTION_NO, 'NO'],
  [VoteOption.VOTE_OPTION_NO_WITH_VETO, 'NO_WITH_VETO'],
])

const StoredMessages = z.array(z.object({ typeUrl: z.string(), value: z.base64() }))

/** The messages of a stored proposal. */
export const messagesOf = ({ messages }: Pick<Proposal, 'messages'>): Any[] =>
  StoredMessages.parse(JSON.parse(messages)).map(({ typeUrl, value }) => ({
    typeUrl,
    value: Buffer.from(value, 'base64'),
  }))

/** @throws ChainFailure, ProposalFailure */
export async function submitProposal(
  block: Block,
  submission: MsgSubmitProposal,
  read: ReadMessage,
): Promise<readonly ChainEvent[]> {
  const { chain, at } = block
  const { groupPolicyAddress: address, proposers, title, summary, metadata } = submission
  assertProposers(proposers)
  assertMetadata(title, 'proposal Title')
  assertMetadata(summary, 'proposal summary is too long', MAX_SUMMARY_BYTES)
  assertMetadata(metadata, 'metadata')
  const policy = await loadPolicy(chain, address)
  const group = await loadGroup(chain, policy.groupId)
  const members = new Set((await chain.members(policy.groupId)).map((member) => member.address))
  for (const proposer of proposers) {
    if (!members.has(proposer)) {
      throw new ChainFailure('group-unauthorized', `not in group: ${proposer}`)
    }
  }
  assertActsForPolicy(submission.messages.map(read), address)
  const id = await chain.next('proposals')
  const { votingMs } = periodsOf(policy.decisionPolicy)
  await chain.addProposal({
    id,
    groupPolicyAddress: address,
    title,
    summary,
    metadata,
    proposers: JSON.stringify(proposers),
    messages: JSON.stringify(
      submission.messages.map(({ typeUrl, value }) => ({
        typeUrl,
        value: Buffer.from(value).toString('base64'),
      })),
    ),
    groupVersion: group.version,
    groupPolicyVersion: policy.version,
    status: 'SUBMITTED',
    executorResult: 'NOT_RUN',
    finalTally: JSON.stringify(tallyResponse(NO_VOTES)),
    executionHash: null,
    submittedAt: at,
    votingPeriodEndsAt: Math.min(at + votingMs, MAX_TIME_MS),
  })
  const events = [groupEvent('SubmitProposal', { proposal_id: `${id}` })]
  if (submission.exec !== Exec.EXEC_TRY) return events
  for (const voter of proposers) {
    events.push(...(await addVote(block, { id, voter, option: 'YES', metadata: '' })))
  }
  events.push(...(await execute(block, id, read)))
  return events
}

function assertProposers(proposers: readonly string[]): void {
  if (proposers.length === 0) throw new ChainFailure('group-empty', 'proposers')
  const twice = proposers.find((proposer, index) => proposers.indexOf(proposer) !== index)
  if (twice !== undefined) throw new ChainFailure('group-duplicate', `address: ${twice}`)
}

function assertActsForPolicy(messages: readonly Message[], address: string): void {
  for (const signer of messages.flatMap(({ signers }) => signers)) {
    if (signer !== address) {
      throw new ChainFailure(
        'unauthorized',
        `msg does not have group policy authorization; expected ${address}, got ${signer}`,
      )
    }
  }
}

/** @throws ChainFailure, ProposalFailure */
export async function vote(
  block: Block,
  { proposalId, voter, option: requested, metadata, exec }: MsgVote,
  read: ReadMessage,
): Promise<readonly ChainEvent[]> {
  if (proposalId === 0n) throw new ChainFailure('group-empty', 'proposal id')
  if (requested === VoteOption.VOTE_OPTION_UNSPECIFIED) {
    throw new ChainFailure('group-empty', 'vote option')
  }
  const option = OPTIONS.get(requested)
  if (option === undefined) throw new ChainFailure('group-invalid', 'vote option')
  assertMetadata(metadata, 'metadata')
  const id = Number(proposalId)
  const events = await addVote(block, { id, voter, option, metadata })
  if (exec !== Exec.EXEC_TRY) return events
  // Charged whether or not this vote decides, so that a simulation stays correct if another vote comes first.
  const { messages } = await loadProposal(block, id)
  consumeMessages(block, { messages }, read)
  return [...events, ...(await execute(block, id, read))]
}

async function addVote(
  block: Block,
  {
    id,
    voter,
    option,
    metadata,
  }: { id: number; voter: string; option: ChainVotesTable['option']; metadata: string },
): Promise<ChainEvent[]> {
  const { chain, at } = block
  const proposal = await loadProposal(block, id)
  if (proposal.status !== 'SUBMITTED') {
    throw new ChainFailure('group-invalid', 'proposal not open for voting')
  }
  if (at > proposal.votingPeriodEndsAt) {
    throw new ChainFailure('group-expired', 'voting period has ended already')
  }
  const policy = await loadPolicy(chain, proposal.groupPolicyAddress)
  const members = await chain.members(policy.groupId)
  if (!members.some(({ address }) => address === voter)) {
    throw new ChainFailure('not-found', `voter address: ${voter}`)
  }
  const isFirst = await chain.addVote({ proposalId: id, voter, option, metadata, submittedAt: at })
  if (!isFirst) throw new ChainFailure('not-unique', 'store vote')
  return [groupEvent('Vote', { proposal_id: `${id}` })]
}

/** @throws ChainFailure, ProposalFailure */
export async function executeProposal(
  block: Block,
  { proposalId }: MsgExec,
  read: ReadMessage,
): Promise<readonly ChainEvent[]> {
  if (proposalId === 0n) throw new ChainFailure('group-empty', 'proposal id')
  const id = Number(proposalId)
  consumeMessages(block, await loadProposal(block, id), read)
  return execute(block, id, read)
}

const consumeMessages = (
  block: Block,
  proposal: Pick<Proposal, 'messages'>,
  read: ReadMessage,
): void =>
  block.consumeGas(messagesOf(proposal).reduce((sum, message) => sum + read(message).gas, 0))

/** @throws ChainFailure */
export async function withdrawProposal(
  block: Block,
  { proposalId, address }: MsgWithdrawProposal,
): Promise<readonly ChainEvent[]> {
  if (proposalId === 0n) throw new ChainFailure('group-empty', 'proposal id')
  const { chain } = block
  const proposal = await loadProposal(block, Number(proposalId))
  if (proposal.status !== 'SUBMITTED') {
    throw new ChainFailure(
      'group-invalid',
      `cannot withdraw a proposal with the status of PROPOSAL_STATUS_${proposal.status}`,
    )
  }
  const { admin } = await loadPolicy(chain, proposal.groupPolicyAddress)
  if (address !== admin && !proposersOf(proposal).includes(address)) {
    throw new ChainFailure(
      'group-unauthorized',
      `given address is neither group policy admin nor in proposers: ${address}`,
    )
  }
  await chain.updateProposal(proposal.id, { status: 'WITHDRAWN' })
  return [groupEvent('WithdrawProposal', { proposal_id: `${proposal.id}` })]
}

/** Tallies open proposals whose voting period has ended, as the module does at the end of each block. */
export async function tallyEndedProposals({ chain, at }: Pick<Block, 'at' | 'chain'>) {
  for (const proposal of await chain.proposalsToTally(at)) {
    const { status, finalTally } = await withDecision(chain, proposal, at)
    await chain.updateProposal(proposal.id, { status, finalTally })
  }
}

/**
 * The votes and result of a proposal at a time. A proposal with a voting period that has ended since the last block is
 * decided.
 */
async function withDecision(
  chain: Pick<ChainStore, 'group' | 'members' | 'policy' | 'votes'>,
  proposal: Proposal,
  at: number,
): Promise<Proposal> {
  if (proposal.status !== 'SUBMITTED') return proposal
  const policy = await chain.policy(proposal.groupPolicyAddress)
  const group = policy && (await chain.group(policy.groupId))
  if (policy === undefined || group === undefined) return proposal
  const tally = await tallyVotes(chain, proposal.id, group.id)
  const total = parseDecimal(group.totalWeight) ?? 0n
  const { isAllowed, isFinal } = decide(policy.decisionPolicy, tally, total)
  if (!isFinal && at <= proposal.votingPeriodEndsAt) return proposal
  return {
    ...proposal,
    status: isAllowed ? 'ACCEPTED' : 'REJECTED',
    finalTally: JSON.stringify(tallyResponse(tally)),
  }
}

/** A proposal's state as a query returns it. Before the voting period ends, only execution decides. */
export async function currentProposal(
  chain: ChainStore,
  proposal: Proposal,
  at: number,
): Promise<Proposal> {
  return at > proposal.votingPeriodEndsAt ? withDecision(chain, proposal, at) : proposal
}

/** The votes of a proposal so far, in the chain's format. */
export async function currentTally(chain: ChainStore, proposal: Proposal, at: number) {
  const { status, finalTally } = await currentProposal(chain, proposal, at)
  // Written by this module.
  if (status === 'ACCEPTED' || status === 'REJECTED') return JSON.parse(finalTally) as object
  const policy = await chain.policy(proposal.groupPolicyAddress)
  return tallyResponse(await tallyVotes(chain, proposal.id, policy?.groupId ?? 0))
}

const NO_VOTES: Tally = { yes: 0n, abstain: 0n, no: 0n, veto: 0n }

/** Votes of members who left the group do not count. */
async function tallyVotes(
  chain: Pick<ChainStore, 'members' | 'votes'>,
  proposalId: number,
  groupId: number,
): Promise<Tally> {
  const weights = new Map(
    (await chain.members(groupId)).map(({ address, weight }) => [address, weight]),
  )
  const sums = { YES: 0n, ABSTAIN: 0n, NO: 0n, NO_WITH_VETO: 0n }
  for (const { voter, option } of await chain.votes(proposalId)) {
    sums[option] += parseDecimal(weights.get(voter) ?? '') ?? 0n
  }
  return { yes: sums.YES, abstain: sums.ABSTAIN, no: sums.NO, veto: sums.NO_WITH_VETO }
}

const tallyResponse = ({ yes, abstain, no, veto }: Tally) => ({
  yes_count: formatDecimal(yes),
  abstain_count: formatDecimal(abstain),
  no_count: formatDecimal(no),
  no_with_veto_count: formatDecimal(veto),
})

const proposersOf = ({ proposers }: Proposal): string[] =>
  z.array(z.string()).parse(JSON.parse(proposers))

/**
 * Finds a proposal that a transaction may use: not one that a real chain has pruned.
 *
 * @throws ChainFailure - `not-found`
 */
async function loadProposal({ chain, at }: Block, id: number): Promise<Proposal> {
  const proposal = Number.isSafeInteger(id) ? await chain.proposal(id) : undefined
  if (proposal === undefined || isPruned(proposal, at)) {
    throw new ChainFailure('not-found', 'load proposal')
  }
  return proposal
}

function isPruned({ status, executorResult, votingPeriodEndsAt }: Proposal, at: number): boolean {
  if (executorResult === 'SUCCESS') return true
  if (status === 'ABORTED' || status === 'WITHDRAWN') return at > votingPeriodEndsAt
  return at > votingPeriodEndsAt + MAX_EXECUTION_PERIOD_MS
}

/** Tallies a proposal and executes it if it is accepted. */
async function execute(block: Block, id: number, read: ReadMessage): Promise<ChainEvent[]> {
  const { chain, at, hash } = block
  const stored = await loadProposal(block, id)
  if (stored.status !== 'SUBMITTED' && stored.status !== 'ACCEPTED') {
    throw new ChainFailure(
      'group-invalid',
      `not possible to exec with proposal status PROPOSAL_STATUS_${stored.status}`,
    )
  }
  const proposal = await withDecision(chain, stored, at)
  const { status, finalTally } = proposal
  const proposal_id = `${id}`
  const executed = (result: Proposal['executorResult'], logs: string) =>
    groupEvent('Exec', { proposal_id, result: `PROPOSAL_EXECUTOR_RESULT_${result}`, logs })
  if (status !== 'ACCEPTED') {
    await chain.updateProposal(id, { status, finalTally })
    return [executed(stored.executorResult, '')]
  }
  const { execution, log } = block.beginExecution()
  if (log !== undefined) {
    const changes = { status, finalTally, executorResult: 'FAILURE', executionHash: hash } as const
    await chain.updateProposal(id, changes)
    return [
      executed('FAILURE', `proposal execution failed on proposal ${id}, because of error ${log}`),
    ]
  }
  // Before its messages are executed, so that they cannot execute it again.
  const changes = { status, finalTally, executorResult: 'SUCCESS', executionHash: hash } as const
  await chain.updateProposal(id, changes)
  try {
    const events = await runMessages(block, proposal, read)
    const pruned = {
      proposal_id,
      status: `PROPOSAL_STATUS_${status}`,
      tally_result: JSON.parse(finalTally) as unknown,
    }
    return [...events, groupEvent('ProposalPruned', pruned), executed('SUCCESS', '')]
  } catch (error) {
    // The block is created again without the messages of this proposal, which succeed together or not at all.
    throw error instanceof ChainFailure ? new ProposalFailure(execution, error.message) : error
  }
}

async function runMessages(
  block: Block,
  proposal: Proposal,
  read: ReadMessage,
): Promise<ChainEvent[]> {
  const { chain, at, level } = block
  const { id, submittedAt, votingPeriodEndsAt, groupPolicyAddress } = proposal
  const policy = await loadPolicy(chain, groupPolicyAddress)
  const earliest = submittedAt + periodsOf(policy.decisionPolicy).minExecutionMs
  if (at < earliest) {
    const when = new Date(Math.min(earliest, MAX_TIME_MS)).toISOString()
    throw new ChainFailure('group-invalid', `must wait until ${when} to execute proposal ${id}`)
  }
  const latest = votingPeriodEndsAt + MAX_EXECUTION_PERIOD_MS
  if (at > latest) {
    throw new ChainFailure('group-expired', `proposal expired on ${new Date(latest).toISOString()}`)
  }
  if (level >= MAX_LEVEL) {
    throw new ChainFailure('group-invalid', 'proposals execute each other too deeply')
  }
  const packed = messagesOf(proposal)
  const messages = packed.map(read)
  assertActsForPolicy(messages, groupPolicyAddress)
  const events: ChainEvent[] = []
  for (const message of messages) {
    events.push(...(await message.run({ ...block, level: level + 1 })))
  }
  return events
}
