/**
 * A message of a transaction in words. What is told comes from the bytes alone: a message is called understood only
 * where writing what was read gives the same bytes again, so that nothing hides in a part that was skipped.
 */
import type { TransactionMessage } from '@portico/contracts/hosted-wallet'
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import type { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import {
  Exec,
  MsgCreateGroup,
  MsgCreateGroupWithPolicy,
  MsgExec,
  MsgLeaveGroup,
  MsgSubmitProposal,
  MsgUpdateGroupMembers,
  MsgVote,
} from 'cosmjs-types/cosmos/group/v1/tx'
import { ThresholdDecisionPolicy, VoteOption } from 'cosmjs-types/cosmos/group/v1/types'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { visible } from './visible.ts'

/** Messages inside messages that are looked into; a deeper one is shown as bytes. */
const LEVEL_MAXIMUM = 3

type Field = readonly [label: string, value: string]

interface Told {
  readonly title: string
  readonly fields: readonly Field[]
  readonly inside?: readonly Any[]
}

interface Codec<Message> {
  readonly typeUrl: string
  decode(bytes: Uint8Array): Message
  encode(message: Message): { finish(): Uint8Array }
}

/** One kind of message: how to read it, and what to tell. */
type Teller = (bytes: Uint8Array) => Told | undefined

function teller<Message>(
  codec: Codec<Message>,
  tell: (message: Message) => Told,
): readonly [string, Teller] {
  return [
    codec.typeUrl,
    (bytes) => {
      const message = codec.decode(bytes)
      const same = Buffer.from(codec.encode(message).finish()).equals(bytes)
      return same ? tell(message) : undefined
    },
  ]
}

const coins = (amount: readonly Coin[]) =>
  amount.length === 0
    ? 'nothing'
    : amount.map(({ amount: count, denom }) => `${count} ${denom}`).join(', ')

const members = (list: readonly { address: string; weight: string }[]): Field[] =>
  list.map(({ address, weight }) => [`Member with weight ${weight}`, address])

const TELLERS: ReadonlyMap<string, Teller> = new Map([
  teller(MsgSend, ({ fromAddress, toAddress, amount }) => ({
    title: 'Send',
    fields: [
      ['From', fromAddress],
      ['To', toAddress],
      ['Amount', coins(amount)],
    ],
  })),
  teller(MsgMultiSend, ({ inputs, outputs }) => ({
    title: 'Send to several',
    fields: [
      ...inputs.map(
        ({ address, coins: amount }): Field => ['From', `${address}: ${coins(amount)}`],
      ),
      ...outputs.map(({ address, coins: amount }): Field => ['To', `${address}: ${coins(amount)}`]),
    ],
  })),
  teller(MsgSubmitProposal, (proposal) => ({
    title: 'Propose to a group',
    fields: [
      ['Group', proposal.groupPolicyAddress],
      ...proposal.proposers.map((proposer): Field => ['Proposed by', proposer]),
      ...optional('Title', proposal.title),
      ...optional('Summary', proposal.summary),
      ...optional('Details', proposal.metadata),
      [
        'When accepted',
        proposal.exec === Exec.EXEC_TRY ? 'carried out at once' : 'carried out later',
      ],
    ],
    inside: proposal.messages,
  })),
  teller(MsgVote, ({ proposalId, voter, option, metadata, exec }) => ({
    title: 'Vote on a proposal',
    fields: [
      ['Proposal', `${proposalId}`],
      ['Voter', voter],
      ['Vote', VOTES.get(option) ?? `unknown (${option})`],
      ...optional('Details', metadata),
      ...(exec === Exec.EXEC_TRY ? [['When accepted', 'carried out at once'] as const] : []),
    ],
  })),
  teller(MsgExec, ({ proposalId, executor }) => ({
    title: 'Carry out a proposal',
    fields: [
      ['Proposal', `${proposalId}`],
      ['By', executor],
    ],
  })),
  teller(MsgLeaveGroup, ({ address, groupId }) => ({
    title: 'Leave a group',
    fields: [
      ['Group', `${groupId}`],
      ['Member', address],
    ],
  })),
  teller(MsgCreateGroup, ({ admin, members: list, metadata }) => ({
    title: 'Create a group',
    fields: [['Administrator', admin], ...members(list), ...optional('Details', metadata)],
  })),
  teller(MsgCreateGroupWithPolicy, (group) => ({
    title: 'Create a group that can act',
    fields: [
      ...optional('Name', nameIn(group.groupMetadata)),
      ['Administrator', group.admin],
      ...members(group.members),
      ...optional('Details', group.groupMetadata),
      ...optional('Policy details', group.groupPolicyMetadata),
      ['Administers itself', group.groupPolicyAsAdmin ? 'yes' : 'no'],
      ...(group.decisionPolicy === undefined
        ? []
        : [['Decides by', decision(group.decisionPolicy)] as const]),
    ],
  })),
  teller(MsgUpdateGroupMembers, ({ admin, groupId, memberUpdates }) => ({
    title: 'Change the members of a group',
    fields: [['Group', `${groupId}`], ['Administrator', admin], ...members(memberUpdates)],
  })),
])

const VOTES: ReadonlyMap<VoteOption, string> = new Map([
  [VoteOption.VOTE_OPTION_YES, 'yes'],
  [VoteOption.VOTE_OPTION_NO, 'no'],
  [VoteOption.VOTE_OPTION_ABSTAIN, 'abstain'],
  [VoteOption.VOTE_OPTION_NO_WITH_VETO, 'no, with veto'],
])

const optional = (label: string, value: string): Field[] => (value === '' ? [] : [[label, value]])

/** The name that groups carry in what they say about themselves; nothing where that is written otherwise. */
function nameIn(metadata: string): string {
  try {
    const { name } = JSON.parse(metadata) as { name?: unknown }
    return typeof name === 'string' ? name : ''
  } catch {
    return ''
  }
}

function decision({ typeUrl, value }: Any): string {
  const threshold = typeUrl === ThresholdDecisionPolicy.typeUrl ? readThreshold(value) : undefined
  return threshold ?? `${typeUrl} ${Buffer.from(value).toString('hex')}`
}

const DAY_S = 86_400n

/** Whole days where it is so many; else seconds, so that nothing is rounded. */
function spanOf(seconds: bigint): string {
  const days = seconds / DAY_S
  if (seconds === 0n || seconds % DAY_S !== 0n) return `${seconds} s`
  return days === 1n ? '1 day' : `${days} days`
}

function readThreshold(value: Uint8Array): string | undefined {
  try {
    const policy = ThresholdDecisionPolicy.decode(value)
    const same = Buffer.from(ThresholdDecisionPolicy.encode(policy).finish()).equals(value)
    const { votingPeriod, minExecutionPeriod } = policy.windows ?? {}
    if (!same || votingPeriod === undefined) return undefined
    const wait = minExecutionPeriod?.seconds ?? 0n
    const later = wait === 0n ? '' : `, carried out after ${spanOf(wait)}`
    return `votes of weight ${policy.threshold}, given within ${spanOf(votingPeriod.seconds)}${later}`
  } catch {
    // Shown as bytes.
    return undefined
  }
}

/**
 * Tells what a message does, and after it what those inside it do; one of a kind that is not known, or that holds more
 * than was read, is shown as bytes.
 */
export function describeMessage({ typeUrl, value }: Any, level = 0): TransactionMessage[] {
  const told = level > LEVEL_MAXIMUM ? undefined : read(typeUrl, value)
  if (told === undefined) {
    return [
      {
        level,
        typeUrl: visible(typeUrl),
        title: 'A message this wallet does not know',
        understood: false,
        fields: [{ label: 'Bytes', value: Buffer.from(value).toString('hex') }],
      },
    ]
  }
  const fields = told.fields.map(([label, text]) => ({ label, value: visible(text) }))
  const inside = (told.inside ?? []).flatMap((message) => describeMessage(message, level + 1))
  return [{ level, typeUrl, title: told.title, understood: true, fields }, ...inside]
}

function read(typeUrl: string, value: Uint8Array): Told | undefined {
  try {
    return TELLERS.get(typeUrl)?.(value)
  } catch {
    // The bytes are no message of the kind they claim to be.
    return undefined
  }
}
