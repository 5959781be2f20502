/** Decodes chain messages into names and values that a user can check (protocol 9.3). */
import { hexOf } from '@portico/keys/bytes'
import { type ProtobufField, protobufFields } from '@portico/keys/protobuf'
import { type AnyMessage, readAny } from '../protocol/any-message.ts'
import { readableText } from './printable-text.ts'

/** A decoded message, including nested messages such as those in a group's proposal. */
export interface MessageDescription {
  readonly typeUrl: string
  /** False if the message type is unknown or cannot be decoded; `details` then contains its bytes. */
  readonly known: boolean
  readonly details: readonly { readonly name: string; readonly value: string }[]
  readonly inner: readonly MessageDescription[]
}

type FieldKind = 'text' | 'coin' | 'message' | 'number'

// Field numbers of the chain's message definitions. Other message types are shown as bytes.
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

// Messages can nest; legitimate ones have only a few levels.
const DEPTH_MAXIMUM = 8

/** Decodes a message. A single unreadable field makes the whole message unknown, since a partial description misleads. */
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

/** A coin has a denomination (1) and an amount (2), both strings. */
function coinOf(bytes: Uint8Array): string | undefined {
  const texts = new Map<number, string | undefined>()
  for (const { number, value } of protobufFields(bytes) ?? []) {
    texts.set(number, typeof value === 'bigint' ? undefined : readableText(value))
  }
  const [denom, amount] = [texts.get(1), texts.get(2)]
  return denom === undefined || amount === undefined ? undefined : `${amount} ${denom}`
}
