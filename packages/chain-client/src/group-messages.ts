/** Messages with which members vote and change a group. */
import {
  Exec,
  MsgExec,
  MsgLeaveGroup,
  MsgUpdateGroupMembers,
  MsgUpdateGroupPolicyDecisionPolicy,
  MsgVote,
  MsgWithdrawProposal,
} from 'cosmjs-types/cosmos/group/v1/tx'
import { ThresholdDecisionPolicy, VoteOption } from 'cosmjs-types/cosmos/group/v1/types'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { packMessage } from './messages.ts'

export type VoteChoice = 'abstain' | 'no' | 'no-with-veto' | 'yes'

const VOTE_OPTIONS: Readonly<Record<VoteChoice, VoteOption>> = {
  abstain: VoteOption.VOTE_OPTION_ABSTAIN,
  no: VoteOption.VOTE_OPTION_NO,
  'no-with-veto': VoteOption.VOTE_OPTION_NO_WITH_VETO,
  yes: VoteOption.VOTE_OPTION_YES,
}

/** How long the members of a group can vote: two days. */
export const VOTING_PERIOD_S = 172_800

/** A vote, which also executes the proposal if it is accepted. */
export function voteMessage(vote: {
  readonly proposalId: string
  readonly voter: string
  readonly choice: VoteChoice
}): string {
  return packMessage(MsgVote, {
    proposalId: BigInt(vote.proposalId),
    voter: vote.voter,
    option: VOTE_OPTIONS[vote.choice],
    metadata: '',
    exec: Exec.EXEC_TRY,
  })
}

/** Executes an accepted proposal, for example again after its first execution failed. */
export function execMessage(execution: {
  readonly proposalId: string
  readonly executor: string
}): string {
  const { proposalId, executor } = execution
  return packMessage(MsgExec, { proposalId: BigInt(proposalId), executor })
}

export function withdrawMessage(withdrawal: {
  readonly proposalId: string
  readonly address: string
}): string {
  const { proposalId, address } = withdrawal
  return packMessage(MsgWithdrawProposal, { proposalId: BigInt(proposalId), address })
}

export function leaveMessage(departure: {
  readonly groupId: string
  readonly address: string
}): string {
  return packMessage(MsgLeaveGroup, {
    groupId: BigInt(departure.groupId),
    address: departure.address,
  })
}

/** Adds, changes and (with weight 0) removes members. Sent by the group's policy, through a proposal. */
export function updateMembersMessage(update: {
  readonly groupId: string
  /** The group's policy address. */
  readonly admin: string
  readonly members: readonly { readonly address: string; readonly weight: string }[]
}): string {
  const { groupId, admin, members } = update
  return packMessage(MsgUpdateGroupMembers, {
    admin,
    groupId: BigInt(groupId),
    memberUpdates: members.map((member) => ({ ...member, metadata: '' })),
  })
}

/** Changes how many members must agree. Ends all open proposals of the group. */
export function updateThresholdMessage(update: {
  /** The group's policy address. */
  readonly policyAddress: string
  readonly threshold: number
}): string {
  const { policyAddress, threshold } = update
  return packMessage(MsgUpdateGroupPolicyDecisionPolicy, {
    admin: policyAddress,
    groupPolicyAddress: policyAddress,
    decisionPolicy: thresholdPolicy(threshold),
  })
}

/** The policy of a group in which a number of members must agree. */
export function thresholdPolicy(threshold: number): Any {
  const policy = {
    threshold: `${threshold}`,
    windows: {
      votingPeriod: { seconds: BigInt(VOTING_PERIOD_S), nanos: 0 },
      minExecutionPeriod: { seconds: 0n, nanos: 0 },
    },
  }
  return {
    typeUrl: ThresholdDecisionPolicy.typeUrl,
    value: ThresholdDecisionPolicy.encode(policy).finish(),
  }
}
