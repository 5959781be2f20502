/**
 * Describes messages of the chain's group module. A message that changes who controls a group, or that executes a
 * proposal, has no known transfers: what follows from it can be anything.
 */
import { hexOf } from '@portico/keys/bytes'
import {
  Exec,
  MsgCreateGroup,
  MsgCreateGroupPolicy,
  MsgCreateGroupWithPolicy,
  MsgExec,
  MsgLeaveGroup,
  MsgSubmitProposal,
  MsgUpdateGroupMembers,
  MsgUpdateGroupPolicyDecisionPolicy,
  MsgVote,
  MsgWithdrawProposal,
} from 'cosmjs-types/cosmos/group/v1/tx'
import {
  type DecisionPolicyWindows,
  PercentageDecisionPolicy,
  ThresholdDecisionPolicy,
  VoteOption,
} from 'cosmjs-types/cosmos/group/v1/types'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import {
  type Codec,
  data,
  decodeExactly,
  type Field,
  kind,
  type MessageDescriber,
  metadataFields,
  type Names,
  nameIn,
  optional,
  pluralize,
  text,
} from './known-message.ts'

export const VOTES: ReadonlyMap<VoteOption, string> = new Map([
  [VoteOption.VOTE_OPTION_YES, 'yes'],
  [VoteOption.VOTE_OPTION_NO, 'no'],
  [VoteOption.VOTE_OPTION_ABSTAIN, 'abstain'],
  [VoteOption.VOTE_OPTION_NO_WITH_VETO, 'no, with veto'],
])

export const GROUP_KINDS: readonly (readonly [string, MessageDescriber])[] = [
  kind(MsgSubmitProposal, (proposal, names) => ({
    title: 'Propose to a group',
    effect: `Propose to ${names.short(proposal.groupPolicyAddress)}`,
    fields: [
      names.field('Group', proposal.groupPolicyAddress),
      ...proposal.proposers.map((proposer) => names.field('Proposed by', proposer)),
      ...optional('Title', proposal.title),
      ...optional('Summary', proposal.summary),
      ...metadataFields('Details', proposal.metadata),
      text(
        'When accepted',
        proposal.exec === Exec.EXEC_TRY ? 'carried out at once' : 'carried out later',
      ),
    ],
    inside: proposal.messages,
    transfers: [],
  })),
  kind(MsgVote, ({ proposalId, voter, option, metadata, exec }, names) => {
    const vote = VOTES.get(option) ?? `unknown (${option})`
    return {
      title: 'Vote on a proposal',
      effect: `Vote ${vote} on ${names.proposal(proposalId)}`,
      fields: [
        text('Proposal', `${proposalId}`),
        names.field('Voter', voter),
        text('Vote', vote),
        ...metadataFields('Details', metadata),
        ...(exec === Exec.EXEC_TRY ? [text('When accepted', 'carried out at once')] : []),
      ],
    }
  }),
  kind(MsgExec, ({ proposalId, executor }, names) => ({
    title: 'Carry out a proposal',
    effect: `Carry out ${names.proposal(proposalId)}`,
    fields: [text('Proposal', `${proposalId}`), names.field('By', executor)],
  })),
  kind(MsgWithdrawProposal, ({ proposalId, address }, names) => ({
    title: 'Withdraw a proposal',
    effect: `Withdraw ${names.proposal(proposalId)}`,
    fields: [text('Proposal', `${proposalId}`), names.field('By', address)],
  })),
  kind(MsgLeaveGroup, ({ address, groupId }, names) => ({
    title: 'Leave a group',
    effect: `Leave group ${groupId}`,
    fields: [text('Group', `${groupId}`), names.field('Member', address)],
  })),
  kind(MsgCreateGroup, ({ admin, members, metadata }, names) => ({
    title: 'Create a group',
    effect: `Create ${nameIn(metadata) ?? 'a group'}`,
    fields: [
      ...metadataFields('Details', metadata),
      names.field('Administrator', admin),
      ...memberFields(members, names),
    ],
    transfers: [],
  })),
  kind(MsgCreateGroupWithPolicy, (group, names) => ({
    title: 'Create a group that can act',
    effect: `Create ${nameIn(group.groupMetadata) ?? 'a group that can act'}`,
    fields: [
      ...metadataFields('Details', group.groupMetadata),
      names.field('Administrator', group.admin),
      ...memberFields(group.members, names),
      text('Administers itself', group.groupPolicyAsAdmin ? 'yes' : 'no'),
      ...(group.decisionPolicy === undefined ? [] : [decisionField(group.decisionPolicy)]),
      ...metadataFields('Policy details', group.groupPolicyMetadata).map(asData),
    ],
    transfers: [],
  })),
  kind(MsgCreateGroupPolicy, ({ admin, groupId, metadata, decisionPolicy }, names) => ({
    title: 'Create an account of a group',
    effect: `Create an account of group ${groupId}`,
    fields: [
      text('Group', `${groupId}`),
      names.field('Administrator', admin),
      ...(decisionPolicy === undefined ? [] : [decisionField(decisionPolicy)]),
      ...metadataFields('Policy details', metadata).map(asData),
    ],
  })),
  kind(MsgUpdateGroupMembers, ({ admin, groupId, memberUpdates }, names) => {
    const removed = memberUpdates.filter(isRemoval)
    const kept = memberUpdates.filter((member) => !isRemoval(member))
    return {
      title: 'Change the members of a group',
      effect: `${
        [
          // The message does not show whether a member is new.
          ...(kept.length === 0 ? [] : [`add or change ${pluralize(kept.length, 'member')}`]),
          ...(removed.length === 0 ? [] : [`remove ${pluralize(removed.length, 'member')}`]),
        ]
          .join(' and ')
          .replace(/^./, (letter) => letter.toUpperCase()) || 'Change nothing'
      } of group ${groupId}`,
      fields: [
        text('Group', `${groupId}`),
        names.field('Administrator', admin),
        ...memberFields(kept, names),
        ...removed.flatMap(({ address, metadata }) => [
          names.field('Remove', address),
          ...metadataFields('Member details', metadata).map(asData),
        ]),
      ],
    }
  }),
  kind(
    MsgUpdateGroupPolicyDecisionPolicy,
    ({ admin, groupPolicyAddress, decisionPolicy }, names) => ({
      title: 'Change how a group decides',
      effect: `Change how ${names.short(groupPolicyAddress)} decides`,
      fields: [
        names.field('Group', groupPolicyAddress),
        names.field('Administrator', admin),
        ...(decisionPolicy === undefined ? [] : [decisionField(decisionPolicy)]),
        text('Open proposals', 'end without a decision'),
      ],
    }),
  ),
]

const isRemoval = ({ weight }: { weight: string }) => /^0+(?:\.0*)?$/.test(weight)

function memberFields(
  members: readonly { address: string; weight: string; metadata: string }[],
  names: Names,
): Field[] {
  return members.flatMap(({ address, weight, metadata }) => [
    names.field(`Member with weight ${weight}`, address),
    ...metadataFields('Member details', metadata).map(asData),
  ])
}

function asData(field: Field): Field {
  return field.kind === 'text' ? { ...field, kind: 'data' } : field
}

function decisionField({ typeUrl, value }: Any): Field {
  const policy = POLICIES.get(typeUrl)?.(value)
  return policy === undefined
    ? data('Decides by', `${typeUrl} ${hexOf(value)}`)
    : text('Decides by', policy)
}

const DAY_S = 86_400n

/** A duration in days if exact, else in seconds, so that nothing is rounded. */
function formatDuration(seconds: bigint): string {
  const days = seconds / DAY_S
  if (seconds === 0n || seconds % DAY_S !== 0n) return `${seconds} s`
  return days === 1n ? '1 day' : `${days} days`
}

const policy = <Message extends { windows?: DecisionPolicyWindows | undefined }>(
  codec: Codec<Message>,
  required: (message: Message) => string,
) =>
  [
    codec.typeUrl,
    (value: Uint8Array): string | undefined => {
      try {
        const message = decodeExactly(codec, value)
        const { votingPeriod, minExecutionPeriod } = message?.windows ?? {}
        // Fractions of a second are not shown.
        if (message === undefined || !votingPeriod || votingPeriod.nanos !== 0) return undefined
        if ((minExecutionPeriod?.nanos ?? 0) !== 0) return undefined
        const wait = minExecutionPeriod?.seconds ?? 0n
        const later = wait === 0n ? '' : `, carried out after ${formatDuration(wait)}`
        return `${required(message)}, given within ${formatDuration(votingPeriod.seconds)}${later}`
      } catch {
        // Invalid policies are shown as bytes.
        return undefined
      }
    },
  ] as const

const POLICIES: ReadonlyMap<string, (value: Uint8Array) => string | undefined> = new Map([
  policy(ThresholdDecisionPolicy, ({ threshold }) => `votes of weight ${threshold}`),
  policy(
    PercentageDecisionPolicy,
    ({ percentage }) => `votes of ${percentage} of the total weight`,
  ),
])
