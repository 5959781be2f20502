/**
 * Describes a transaction message, from its bytes alone. A message counts as understood only if encoding the decoded
 * message gives the same bytes, so that nothing can hide in skipped parts.
 */
import type { TransactionMessage } from '@portico/contracts/hosted-wallet'
import { escapeInvisible } from '@portico/contracts/invisible-characters'
import { hexOf } from '@portico/keys/bytes'
import { shortAddress } from '@portico/rules/short-address'
import { MsgExec as AuthzExec } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { Exec, MsgVote } from 'cosmjs-types/cosmos/group/v1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { formatCoins } from './format-coins.ts'
import { GROUP_KINDS, VOTES } from './group-messages.ts'
import {
  data,
  type KnownMessage,
  kind,
  type MessageDescriber,
  metadataFields,
  type Names,
  pluralize,
  type Transfer,
  text,
} from './known-message.ts'
import { MARKER_TRANSFER } from './marker-transfer.ts'

/** How deeply nested messages are decoded; deeper ones are shown as bytes. */
const MAX_LEVEL = 3

/** Returns the user's name for an address. */
export type NameOf = (address: string) => string | undefined

/** Returns the policy address of the group that a proposal belongs to. */
export type GroupOfProposal = (proposalId: string) => string | undefined

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

/** Votes on proposals of the chain. They have the fields of the group module's votes without an execution. */
function governanceVote(
  typeUrl: string,
  hasMetadata: boolean,
): readonly [string, MessageDescriber] {
  const [, describe] = kind(MsgVote, ({ proposalId, voter, option, metadata, exec }, names) => {
    if (exec !== Exec.EXEC_UNSPECIFIED || (metadata !== '' && !hasMetadata)) return undefined
    const vote = VOTES.get(option) ?? `unknown (${option})`
    return {
      title: 'Vote on a proposal of the chain',
      effect: `Vote ${vote} on proposal ${proposalId} of the chain`,
      fields: [
        text('Proposal', `${proposalId}`),
        names.field('Voter', voter),
        text('Vote', vote),
        ...metadataFields('Details', metadata),
      ],
    }
  })
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
  kind(MARKER_TRANSFER, ({ administrator, from, to, amount }, names) => ({
    title: 'Transfer a restricted coin',
    effect: `Transfer ${formatCoins([amount])} to ${names.short(to)}`,
    fields: [
      text('Amount', formatCoins([amount])),
      names.field('From', from),
      names.field('To', to),
      names.field('Administrator', administrator),
    ],
    transfers: [{ to, coins: [amount] }],
  })),
  governanceVote('/cosmos.gov.v1.MsgVote', true),
  governanceVote('/cosmos.gov.v1beta1.MsgVote', false),
  kind(AuthzExec, ({ grantee, msgs }, names) => ({
    title: 'Act with the permission of others',
    effect: 'Act with the permission of others',
    fields: [names.field('By', grantee)],
    inside: msgs,
    transfers: [],
  })),
  ...GROUP_KINDS,
])

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
  message: Any,
  nameOf: NameOf = () => undefined,
  groupOfProposal: GroupOfProposal = () => undefined,
): MessageDescription {
  return describeAt(0, message, createNames(nameOf, groupOfProposal))
}

function describeAt(level: number, { typeUrl, value }: Any, names: Names): MessageDescription {
  const described = level > MAX_LEVEL ? undefined : decodeKnown(typeUrl, value, names)
  if (described === undefined) {
    const bytes = hexOf(value)
    const title = 'A message this wallet does not recognize'
    const fields = [data('Kind', typeUrl), data('Bytes', bytes)]
    return {
      effect: 'Send a message this wallet does not recognize',
      messages: [{ level, typeUrl: escapeInvisible(typeUrl), title, understood: false, fields }],
      transfers: undefined,
    }
  }
  const { title, effect, fields, inside = [], transfers } = described
  const nested = inside.map((message) => describeAt(level + 1, message, names))
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

function createNames(nameOf: NameOf, groupOfProposal: GroupOfProposal): Names {
  const short = (address: string) => escapeInvisible(nameOf(address) ?? shortAddress(address))
  return {
    short,
    field: (label, address) => ({
      kind: 'address',
      label,
      address: escapeInvisible(address),
      name: escapeInvisible(nameOf(address) ?? '') || null,
    }),
    proposal(id) {
      const group = groupOfProposal(`${id}`)
      return group === undefined ? `proposal ${id}` : `proposal ${id} of ${short(group)}`
    },
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
