/** Formats the state of the chain like the REST interface of a real node. */
import type { ChainStore, Proposal } from './chain.store.ts'
import type { TransactionResult } from './deliver.ts'

type Existing<Name extends keyof ChainStore> = NonNullable<
  Awaited<ReturnType<Extract<ChainStore[Name], (...parameters: never) => unknown>>>
>

const SECONDS = /\.\d{3}Z$/

/** A time in the format of block headers. */
export const blockTime = (at: number) => new Date(at).toISOString().replace(SECONDS, 'Z')

/** The pagination of a list with a single page. */
export const pageOf = (total: number) => ({ next_key: null, total: `${total}` })

/** An account. It has no key before its first signature. */
export function accountResponse({
  address,
  number,
  sequence,
  publicKey: key,
}: Existing<'account'>) {
  return {
    '@type': '/cosmos.auth.v1beta1.BaseAccount',
    address,
    pub_key: key === null ? null : { '@type': '/cosmos.crypto.secp256k1.PubKey', key },
    account_number: `${number}`,
    sequence: `${sequence}`,
  }
}

export function groupResponse(group: Existing<'group'>) {
  return {
    id: `${group.id}`,
    admin: group.admin,
    metadata: group.metadata,
    version: `${group.version}`,
    total_weight: group.totalWeight,
    created_at: new Date(group.createdAt).toISOString(),
  }
}

/** The policy account of a group. */
export function policyResponse(policy: Existing<'policy'>) {
  return {
    address: policy.address,
    group_id: `${policy.groupId}`,
    admin: policy.admin,
    metadata: policy.metadata,
    version: `${policy.version}`,
    decision_policy: JSON.parse(policy.decisionPolicy) as unknown,
    created_at: new Date(policy.createdAt).toISOString(),
  }
}

export function memberResponse({
  groupId,
  address,
  weight,
  metadata,
  addedAt,
}: Existing<'members'>[number]) {
  return {
    group_id: `${groupId}`,
    member: { address, weight, metadata, added_at: new Date(addedAt).toISOString() },
  }
}

/** A proposal with its messages in the JSON format of the chain. */
export function proposalResponse(proposal: Proposal, messages: readonly unknown[]) {
  return {
    id: `${proposal.id}`,
    group_policy_address: proposal.groupPolicyAddress,
    metadata: proposal.metadata,
    proposers: JSON.parse(proposal.proposers) as unknown,
    submit_time: new Date(proposal.submittedAt).toISOString(),
    group_version: `${proposal.groupVersion}`,
    group_policy_version: `${proposal.groupPolicyVersion}`,
    status: `PROPOSAL_STATUS_${proposal.status}`,
    final_tally_result: JSON.parse(proposal.finalTally) as unknown,
    voting_period_end: new Date(proposal.votingPeriodEndsAt).toISOString(),
    executor_result: `PROPOSAL_EXECUTOR_RESULT_${proposal.executorResult}`,
    messages,
    title: proposal.title,
    summary: proposal.summary,
  }
}

export function voteResponse(vote: Existing<'votes'>[number]) {
  return {
    proposal_id: `${vote.proposalId}`,
    voter: vote.voter,
    option: `VOTE_OPTION_${vote.option}`,
    metadata: vote.metadata,
    submit_time: new Date(vote.submittedAt).toISOString(),
  }
}

/** A transaction in a block. */
export function transactionResponse(
  hash: string,
  result: TransactionResult,
  tx: Readonly<Record<string, unknown>>,
) {
  return {
    height: `${result.height}`,
    txhash: hash,
    codespace: result.codespace,
    code: result.code,
    data: '',
    raw_log: result.rawLog,
    logs: [],
    info: '',
    gas_wanted: `${result.gasWanted}`,
    gas_used: `${result.gasUsed}`,
    tx: { '@type': '/cosmos.tx.v1beta1.Tx', ...tx },
    timestamp: blockTime(result.at),
    events: result.events,
  }
}

/** The response to a broadcast, before the transaction is in a block. */
export function broadcastResponse(
  hash: string,
  refused?: { code: number; codespace: string; message: string },
) {
  return {
    height: '0',
    txhash: hash,
    codespace: refused?.codespace ?? '',
    code: refused?.code ?? 0,
    data: '',
    raw_log: refused?.message ?? '',
    logs: [],
    info: '',
    gas_wanted: '0',
    gas_used: '0',
    tx: null,
    timestamp: '',
    events: [],
  }
}
