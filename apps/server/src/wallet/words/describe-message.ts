/**
 * A message of a transaction in words. What is shown comes from the bytes alone: a message is called understood only
 * where writing what was read gives the same bytes again, so that nothing hides in a part that was skipped.
 */
import type { TransactionMessage } from '@portico/contracts/hosted-wallet'
import { shortAddress } from '@portico/rules/short-address'
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
import { coinsInWords } from './coins-in-words.ts'
import { visible } from './visible.ts'

/** Messages inside messages that are looked into; a deeper one is shown as bytes. */
const LEVEL_MAXIMUM = 3

/** The name under which the person knows an address. */
export type NameOf = (address: string) => string | undefined

/** Coins that leave an account. */
export interface Transfer {
  readonly to: string
  readonly coins: readonly Coin[]
}

type Field = TransactionMessage['fields'][number]

interface Described {
  readonly title: string
  /** What happens, as a sentence without its full stop. */
  readonly effect: string
  readonly fields: readonly Field[]
  readonly inside?: readonly Any[]
  /** What leaves an account; absent where that cannot be told from the message. */
  readonly transfers?: readonly Transfer[]
}

/** One kind of message: how to read it, and what to show of it. */
type Describe = (bytes: Uint8Array, names: Names) => Described | undefined

interface Names {
  /** An address for a sentence: its name, or its first and last characters. */
  readonly short: (address: string) => string
  readonly field: (label: string, address: string) => Field
}

interface Codec<Message> {
  readonly typeUrl: string
  decode(bytes: Uint8Array): Message
  encode(message: Message): { finish(): Uint8Array }
}

function kind<Message>(
  codec: Codec<Message>,
  describe: (message: Message, names: Names) => Described,
): readonly [string, Describe] {
  return [
    codec.typeUrl,
    (bytes, names) => {
      const message = codec.decode(bytes)
      const same = Buffer.from(codec.encode(message).finish()).equals(bytes)
      return same ? describe(message, names) : undefined
    },
  ]
}

const KINDS: ReadonlyMap<string, Describe> = new Map([
  kind(MsgSend, ({ fromAddress, toAddress, amount }, names) => ({
    title: 'Send',
    effect: `Send ${coinsInWords(amount)} to ${names.short(toAddress)}`,
    fields: [
      text('Amount', coinsInWords(amount)),
      names.field('From', fromAddress),
      names.field('To', toAddress),
    ],
    transfers: [{ to: toAddress, coins: amount }],
  })),
  kind(MsgMultiSend, ({ inputs, outputs }, names) => ({
    title: 'Send to several',
    effect: `Send ${coinsInWords(inputs.flatMap(({ coins }) => coins))} to ${counted(outputs.length, 'recipient')}`,
    fields: [
      ...inputs.flatMap(({ address, coins }) => [
        names.field('From', address),
        text('Amount', coinsInWords(coins)),
      ]),
      ...outputs.flatMap(({ address, coins }) => [
        names.field('To', address),
        text('Amount', coinsInWords(coins)),
      ]),
    ],
    transfers: outputs.map(({ address, coins }) => ({ to: address, coins })),
  })),
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
      effect: `Vote ${vote} on proposal ${proposalId}`,
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
    effect: `Carry out proposal ${proposalId}`,
    fields: [text('Proposal', `${proposalId}`), names.field('By', executor)],
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
  kind(MsgUpdateGroupMembers, ({ admin, groupId, memberUpdates }, names) => ({
    title: 'Change the members of a group',
    effect: `Change the members of group ${groupId}`,
    fields: [
      text('Group', `${groupId}`),
      names.field('Administrator', admin),
      ...memberFields(memberUpdates, names),
    ],
  })),
])

const VOTES: ReadonlyMap<VoteOption, string> = new Map([
  [VoteOption.VOTE_OPTION_YES, 'yes'],
  [VoteOption.VOTE_OPTION_NO, 'no'],
  [VoteOption.VOTE_OPTION_ABSTAIN, 'abstain'],
  [VoteOption.VOTE_OPTION_NO_WITH_VETO, 'no, with veto'],
])

function text(label: string, value: string): Field {
  return { kind: 'text', label: visible(label), value: visible(value) }
}

function data(label: string, value: string): Field {
  return { kind: 'data', label: visible(label), value: visible(value) }
}

function asData(field: Field): Field {
  return field.kind === 'text' ? { ...field, kind: 'data' } : field
}

const optional = (label: string, value: string): Field[] =>
  value === '' ? [] : [text(label, value)]

const memberFields = (
  members: readonly { address: string; weight: string }[],
  names: Names,
): Field[] =>
  members.map(({ address, weight }) => names.field(`Member with weight ${weight}`, address))

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

/** What people read of what groups say about themselves; the rest of it is data. */
const METADATA_LABELS: ReadonlyMap<string, string> = new Map([
  ['name', 'Name'],
  ['description', 'Description'],
  ['email', 'Email'],
])

/** Free text as it is; JSON entry by entry, never as JSON. */
function metadataFields(label: string, metadata: string): Field[] {
  if (metadata === '') return []
  const value = parsedJson(metadata)
  if (typeof value !== 'object' || value === null) return [text(label, metadata)]
  return leaves(value).map(([path, leaf]) => {
    const known = METADATA_LABELS.get(path)
    return known === undefined ? data(`${label}: ${path}`, leaf) : text(known, leaf)
  })
}

/** Every entry of a JSON value with the way to it; what is empty says nothing. */
function leaves(value: object, way = ''): (readonly [string, string])[] {
  return Object.entries(value as Record<string, unknown>).flatMap(([name, each]) => {
    const path = way === '' ? name : `${way} ${name}`
    if (typeof each === 'object' && each !== null) return leaves(each, path)
    const leaf = typeof each === 'string' ? each : JSON.stringify(each)
    return leaf === '' || leaf === 'null' ? [] : [[path, leaf] as const]
  })
}

/** The name that groups carry in what they say about themselves, where it is written as usual. */
function nameIn(metadata: string): string | undefined {
  const value = parsedJson(metadata)
  const name = (value as { name?: unknown } | null | undefined)?.name
  return typeof name === 'string' && name !== '' ? visible(name) : undefined
}

function parsedJson(metadata: string): unknown {
  try {
    return JSON.parse(metadata)
  } catch {
    // Free text.
    return undefined
  }
}

function decisionField({ typeUrl, value }: Any): Field {
  const threshold = typeUrl === ThresholdDecisionPolicy.typeUrl ? readThreshold(value) : undefined
  return threshold === undefined
    ? data('Decides by', `${typeUrl} ${Buffer.from(value).toString('hex')}`)
    : text('Decides by', threshold)
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

/** What a message does, with what those inside it do. */
export interface MessageDescription {
  readonly effect: string
  /** The message, and after it those inside it. */
  readonly messages: readonly TransactionMessage[]
  /** Everything that leaves an account; absent where part of the message does not say. */
  readonly transfers: readonly Transfer[] | undefined
}

/** Describes a message; one of an unknown kind, or that holds more than was read, is shown as bytes. */
export function describeMessage(
  { typeUrl, value }: Any,
  nameOf: NameOf = () => undefined,
  level = 0,
): MessageDescription {
  const described = level > LEVEL_MAXIMUM ? undefined : read(typeUrl, value, namesBy(nameOf))
  if (described === undefined) {
    const bytes = Buffer.from(value).toString('hex')
    const title = 'A message this wallet does not know'
    const fields = [data('Kind', typeUrl), data('Bytes', bytes)]
    return {
      effect: 'Send a message this wallet does not know',
      messages: [{ level, typeUrl: visible(typeUrl), title, understood: false, fields }],
      transfers: undefined,
    }
  }
  const { title, effect, fields, inside = [], transfers } = described
  const within = inside.map((message) => describeMessage(message, nameOf, level + 1))
  const all = [transfers, ...within.map((each) => each.transfers)]
  return {
    effect: within.length === 0 ? effect : `${effect}: ${lowerFirst(effectOf(within))}`,
    messages: [
      { level, typeUrl, title, understood: true, fields: [...fields] },
      ...within.flatMap(({ messages }) => messages),
    ],
    transfers: all.includes(undefined) ? undefined : all.flatMap((each) => each ?? []),
  }
}

/** What several messages do together: the first, and how many more there are. */
export function effectOf([first, ...more]: readonly MessageDescription[]): string {
  if (first === undefined) return 'Send a transaction without an effect'
  return more.length === 0 ? first.effect : `${first.effect}, and ${more.length} more`
}

const lowerFirst = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1)

function namesBy(nameOf: NameOf): Names {
  return {
    short: (address) => visible(nameOf(address) ?? shortAddress(address)),
    field: (label, address) => ({
      kind: 'address',
      label,
      address: visible(address),
      name: visible(nameOf(address) ?? '') || null,
    }),
  }
}

function read(typeUrl: string, value: Uint8Array, names: Names): Described | undefined {
  try {
    return KINDS.get(typeUrl)?.(value, names)
  } catch {
    // Not a message of the kind that it claims to be.
    return undefined
  }
}
