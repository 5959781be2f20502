/** What a chain message does, in names and values a person can check (protocol 9.3). */
import { hexOf } from '@portico/keys/bytes'
import { type ProtobufField, protobufFields } from '@portico/keys/protobuf'
import { type AnyMessage, readAny } from '../protocol/any-message.ts'
import { readableText } from './printable-text.ts'

/** A message in words; messages inside it (a group's proposal holds some) are described too. */
export interface MessageDescription {
  readonly typeUrl: string
  /** False: nobody here knows what this kind of message does, and `details` holds its bytes. */
  readonly known: boolean
  readonly details: readonly { readonly name: string; readonly value: string }[]
  readonly inner: readonly MessageDescription[]
}

type FieldKind = 'text' | 'coin' | 'message' | 'number'

// Field numbers of the chain's own definitions; a kind that is not here is shown as bytes, never guessed at.
const KNOWN: Readonly<Record<string, Readonly<Record<number, readonly [string, FieldKind]>>>> = {
  '/cosmos.bank.v1beta1.MsgSend': { 1: ['from', 'text'], 2: ['to', 'text'], 3: ['amount', 'coin'] },
  '/cosmos.staking.v1beta1.MsgDelegate': {
    1: ['delegator', 'text'],
    2: ['validator', 'text'],
    3: ['amount', 'coin'],
  },
  '/cosmos.staking.v1beta1.MsgUndelegate': {
    1: ['delegator', 'text'],
    2: ['validator', 'text'],
    3: ['amount', 'coin'],
  },
  '/cosmos.group.v1.MsgSubmitProposal': {
    1: ['group', 'text'],
    2: ['proposer', 'text'],
    3: ['note', 'text'],
    4: ['message', 'message'],
    5: ['execute', 'number'],
    6: ['title', 'text'],
    7: ['summary', 'text'],
  },
  '/cosmos.group.v1.MsgVote': {
    1: ['proposal', 'number'],
    2: ['voter', 'text'],
    3: ['vote', 'number'],
    4: ['note', 'text'],
    5: ['execute', 'number'],
  },
}

// Messages can hold messages; nobody asks for more than a few layers.
const DEPTH_MAXIMUM = 8

/** Describes a message. One field that cannot be read makes the whole message unknown: half the truth is none. */
export function describeMessage({ typeUrl, value }: AnyMessage, depth = 0): MessageDescription {
  const unknown = {
    typeUrl,
    known: false,
    details: [{ name: 'bytes', value: hexOf(value) }],
    inner: [],
  }
  const names = Object.hasOwn(KNOWN, typeUrl) ? KNOWN[typeUrl] : undefined
  const fields = protobufFields(value)
  if (names === undefined || fields === undefined || depth > DEPTH_MAXIMUM) return unknown
  const details: { name: string; value: string }[] = []
  const inner: MessageDescription[] = []
  for (const field of fields) {
    const [name, kind] = names[field.number] ?? []
    if (name === undefined || kind === undefined) return unknown
    const message = kind === 'message' ? messageIn(field) : undefined
    const shown = kind === 'message' ? message?.typeUrl : valueOf(field, kind)
    if (shown === undefined) return unknown
    details.push({ name, value: shown })
    if (message !== undefined) inner.push(describeMessage(message, depth + 1))
  }
  return { typeUrl, known: true, details, inner }
}

function messageIn({ wireType, value }: ProtobufField): AnyMessage | undefined {
  return typeof value === 'bigint' || wireType !== 2 ? undefined : readAny(value)
}

function valueOf(
  { wireType, value }: ProtobufField,
  kind: Exclude<FieldKind, 'message'>,
): string | undefined {
  if (typeof value === 'bigint') return kind === 'number' ? String(value) : undefined
  if (wireType !== 2) return undefined
  if (kind === 'coin') return coinOf(value)
  if (kind === 'number') return undefined
  return value.length === 0 ? '' : readableText(value)
}

/** A coin is its kind (1) and its amount (2), both texts. */
function coinOf(bytes: Uint8Array): string | undefined {
  const texts = new Map<number, string | undefined>()
  for (const { number, value } of protobufFields(bytes) ?? []) {
    texts.set(number, typeof value === 'bigint' ? undefined : readableText(value))
  }
  const [denom, amount] = [texts.get(1), texts.get(2)]
  return denom === undefined || amount === undefined ? undefined : `${amount} ${denom}`
}
