/**
 * Describes a transaction message, from its bytes alone. A message counts as understood only if encoding the decoded
 * message gives the same bytes, so that nothing can hide in skipped parts.
 */
import type { TransactionMessage } from '@portico/contracts/hosted-wallet'
import { parseJson } from '@portico/contracts/parse-json'
import { escapeInvisible } from '@portico/contracts/text'
import { hexOf } from '@portico/keys/bytes'
import { shortAddress } from '@portico/rules/short-address'
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
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
import { type Coin, formatCoins } from './format-coins.ts'

/** How deeply nested messages are decoded; deeper ones are shown as bytes. */
const LEVEL_MAXIMUM = 3

/** Returns the user's name for an address. */
export type NameOf = (address: string) => string | undefined

/** Coins that leave an account. */
export interface Transfer {
  readonly to: string
  readonly coins: readonly Coin[]
}

type Field = TransactionMessage['fields'][number]

interface KnownMessage {
  readonly title: string
  /** The effect as a sentence without a period. */
  readonly effect: string
  readonly fields: readonly Field[]
  readonly inside?: readonly Any[]
  /** What leaves an account; absent if the message does not show it. */
  readonly transfers?: readonly Transfer[]
}

/** Decodes and describes one kind of message. */
type MessageDescriber = (bytes: Uint8Array, names: Names) => KnownMessage | undefined

interface Names {
  /** An address in a sentence: its name or a shortened form. */
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
  describe: (message: Message, names: Names) => KnownMessage | undefined,
): readonly [string, MessageDescriber] {
  return [
    codec.typeUrl,
    (bytes, names) => {
      const message = codec.decode(bytes)
      const same = hexOf(codec.encode(message).finish()) === hexOf(bytes)
      return same ? describe(message, names) : undefined
    },
  ]
}

/**
 * Delegating and undelegating. The messages have the fields of MsgSend with exactly one coin, so its codec decodes them;
 * the published definitions of staking would add 26 kB to a wallet's bundle.
 */
function stakingKind(name: string, title: string): readonly [string, MessageDescriber] {
  const typeUrl = `/cosmos.staking.v1beta1.${name}`
  const [, describe] = kind(MsgSend, ({ fromAddress, toAddress, amount }, names) =>
    amount.length === 1
      ? {
          title,
          effect: `${title} ${formatCoins(amount)} with ${names.short(toAddress)}`,
          fields: [
            text('Amount', formatCoins(amount)),
            names.field('Delegator', fromAddress),
            names.field('Validator', toAddress),
          ],
        }
      : undefined,
  )
  return [typeUrl, describe]
}

const KINDS: ReadonlyMap<string, MessageDescriber> = new Map([
  kind(MsgSend, ({ fromAddress, toAddress, amount }, names) => ({
    title: 'Send',
    effect: `Send ${formatCoins(amount)} to ${names.short(toAddress)}`,
    fields: [
      text('Amount', formatCoins(amount)),
      names.field('From', fromAddress),
      names.field('To', toAddress),
    ],
    transfers: [{ to: toAddress, coins: amount }],
  })),
  kind(MsgMultiSend, ({ inputs, outputs }, names) => ({
    title: 'Send to several',
    effect: `Send ${formatCoins(inputs.flatMap(({ coins }) => coins))} to ${pluralize(outputs.length, 'recipient')}`,
    fields: [
      ...inputs.flatMap(({ address, coins }) => [
        names.field('From', address),
        text('Amount', formatCoins(coins)),
      ]),
      ...outputs.flatMap(({ address, coins }) => [
        names.field('To', address),
        text('Amount', formatCoins(coins)),
      ]),
    ],
    transfers: outputs.map(({ address, coins }) => ({ to: address, coins })),
  })),
  stakingKind('MsgDelegate', 'Delegate'),
  stakingKind('MsgUndelegate', 'Undelegate'),
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
  return { kind: 'text', label: escapeInvisible(label), value: escapeInvisible(value) }
}

function data(label: string, value: string): Field {
  return { kind: 'data', label: escapeInvisible(label), value: escapeInvisible(value) }
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

const pluralize = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

/** Labels of known group metadata; other entries are shown as data. */
const METADATA_LABELS: ReadonlyMap<string, string> = new Map([
  ['name', 'Name'],
  ['description', 'Description'],
  ['email', 'Email'],
])

/** Shows free text as it is, and JSON entry by entry. */
function metadataFields(label: string, metadata: string): Field[] {
  if (metadata === '') return []
  const value = parseJson(metadata)
  if (typeof value !== 'object' || value === null) return [text(label, metadata)]
  return leaves(value).map(([path, leaf]) => {
    const known = METADATA_LABELS.get(path)
    return known === undefined ? data(`${label}: ${path}`, leaf) : text(known, leaf)
  })
}

/** All non-empty entries of a JSON value with their paths. */
function leaves(value: object, parentPath = ''): (readonly [string, string])[] {
  return Object.entries(value as Record<string, unknown>).flatMap(([name, each]) => {
    const path = parentPath === '' ? name : `${parentPath} ${name}`
    if (typeof each === 'object' && each !== null) return leaves(each, path)
    const leaf = typeof each === 'string' ? each : JSON.stringify(each)
    return leaf === '' || leaf === 'null' ? [] : [[path, leaf] as const]
  })
}

/** The name in a group's metadata, if present. */
function nameIn(metadata: string): string | undefined {
  const value = parseJson(metadata)
  const name = (value as { name?: unknown } | null | undefined)?.name
  return typeof name === 'string' && name !== '' ? escapeInvisible(name) : undefined
}

function decisionField({ typeUrl, value }: Any): Field {
  const threshold = typeUrl === ThresholdDecisionPolicy.typeUrl ? readThreshold(value) : undefined
  return threshold === undefined
    ? data('Decides by', `${typeUrl} ${hexOf(value)}`)
    : text('Decides by', threshold)
}

const DAY_S = 86_400n

/** A duration in days if exact, else in seconds, so that nothing is rounded. */
function formatDuration(seconds: bigint): string {
  const days = seconds / DAY_S
  if (seconds === 0n || seconds % DAY_S !== 0n) return `${seconds} s`
  return days === 1n ? '1 day' : `${days} days`
}

function readThreshold(value: Uint8Array): string | undefined {
  try {
    const policy = ThresholdDecisionPolicy.decode(value)
    const same = hexOf(ThresholdDecisionPolicy.encode(policy).finish()) === hexOf(value)
    const { votingPeriod, minExecutionPeriod } = policy.windows ?? {}
    if (!same || votingPeriod === undefined) return undefined
    const wait = minExecutionPeriod?.seconds ?? 0n
    const later = wait === 0n ? '' : `, carried out after ${formatDuration(wait)}`
    return `votes of weight ${policy.threshold}, given within ${formatDuration(votingPeriod.seconds)}${later}`
  } catch {
    // Invalid policies are shown as bytes.
    return undefined
  }
}

/** The effect of a message, including nested ones. */
export interface MessageDescription {
  readonly effect: string
  /** The message, followed by those nested in it. */
  readonly messages: readonly TransactionMessage[]
  /** Everything that leaves an account; undefined if any part is unknown. */
  readonly transfers: readonly Transfer[] | undefined
}

/** Describes a message. One of an unknown kind or with unknown fields is shown as bytes. */
export function describeMessage(
  { typeUrl, value }: Any,
  nameOf: NameOf = () => undefined,
  level = 0,
): MessageDescription {
  const described =
    level > LEVEL_MAXIMUM ? undefined : decodeKnown(typeUrl, value, createNames(nameOf))
  if (described === undefined) {
    const bytes = hexOf(value)
    const title = 'A message this wallet does not know'
    const fields = [data('Kind', typeUrl), data('Bytes', bytes)]
    return {
      effect: 'Send a message this wallet does not know',
      messages: [{ level, typeUrl: escapeInvisible(typeUrl), title, understood: false, fields }],
      transfers: undefined,
    }
  }
  const { title, effect, fields, inside = [], transfers } = described
  const nested = inside.map((message) => describeMessage(message, nameOf, level + 1))
  const all = [transfers, ...nested.map((each) => each.transfers)]
  return {
    effect: nested.length === 0 ? effect : `${effect}: ${lowerFirst(effectOf(nested))}`,
    messages: [
      { level, typeUrl, title, understood: true, fields: [...fields] },
      ...nested.flatMap(({ messages }) => messages),
    ],
    transfers: all.includes(undefined) ? undefined : all.flatMap((each) => each ?? []),
  }
}

/** Summarizes several messages: the first effect and the number of others. */
export function effectOf([first, ...more]: readonly MessageDescription[]): string {
  if (first === undefined) return 'Send a transaction without an effect'
  return more.length === 0 ? first.effect : `${first.effect}, and ${more.length} more`
}

const lowerFirst = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1)

function createNames(nameOf: NameOf): Names {
  return {
    short: (address) => escapeInvisible(nameOf(address) ?? shortAddress(address)),
    field: (label, address) => ({
      kind: 'address',
      label,
      address: escapeInvisible(address),
      name: escapeInvisible(nameOf(address) ?? '') || null,
    }),
  }
}

function decodeKnown(typeUrl: string, value: Uint8Array, names: Names): KnownMessage | undefined {
  try {
    return KINDS.get(typeUrl)?.(value, names)
  } catch {
    // The bytes are not a message of the claimed type.
    return undefined
  }
}
