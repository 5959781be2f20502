/** What the descriptions of all kinds of messages share. */
import type { TransactionMessage } from '@portico/contracts/hosted-wallet'
import { escapeInvisible } from '@portico/contracts/invisible-characters'
import { parseJson } from '@portico/contracts/parse-json'
import { hexOf } from '@portico/keys/bytes'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { Coin } from './format-coins.ts'

/** Coins that leave an account. */
export interface Transfer {
  readonly to: string
  readonly coins: readonly Coin[]
}

export type Field = TransactionMessage['fields'][number]

export interface KnownMessage {
  readonly title: string
  /** The effect as a sentence without a period. */
  readonly effect: string
  readonly fields: readonly Field[]
  readonly inside?: readonly Any[]
  /** What leaves an account; absent if the message does not show it. */
  readonly transfers?: readonly Transfer[]
}

/** Decodes and describes one kind of message. */
export type MessageDescriber = (bytes: Uint8Array, names: Names) => KnownMessage | undefined

export interface Names {
  /** An address in a sentence: its name or a shortened form. */
  readonly short: (address: string) => string
  readonly field: (label: string, address: string) => Field
  /** A proposal in a sentence, with its group if known. */
  readonly proposal: (id: bigint) => string
}

export interface Codec<Message> {
  readonly typeUrl: string
  decode(bytes: Uint8Array): Message
  encode(message: Message): { finish(): Uint8Array }
}

/** Decodes bytes; undefined unless encoding the message gives the same bytes. */
export function decodeExactly<Message>(
  codec: Codec<Message>,
  bytes: Uint8Array,
): Message | undefined {
  const message = codec.decode(bytes)
  return hexOf(codec.encode(message).finish()) === hexOf(bytes) ? message : undefined
}

export function kind<Message>(
  codec: Codec<Message>,
  describe: (message: Message, names: Names) => KnownMessage | undefined,
): readonly [string, MessageDescriber] {
  return [
    codec.typeUrl,
    (bytes, names) => {
      const message = decodeExactly(codec, bytes)
      return message === undefined ? undefined : describe(message, names)
    },
  ]
}

export function text(label: string, value: string): Field {
  return { kind: 'text', label: escapeInvisible(label), value: escapeInvisible(value) }
}

export function data(label: string, value: string): Field {
  return { kind: 'data', label: escapeInvisible(label), value: escapeInvisible(value) }
}

export const optional = (label: string, value: string): Field[] =>
  value === '' ? [] : [text(label, value)]

export const pluralize = (count: number, what: string) =>
  `${count} ${what}${count === 1 ? '' : 's'}`

/** Labels of known group metadata; other entries are shown as data. */
const METADATA_LABELS: ReadonlyMap<string, string> = new Map([
  ['name', 'Name'],
  ['description', 'Description'],
  ['email', 'Email'],
])

/** Shows free text as it is, and JSON entry by entry. */
export function metadataFields(label: string, metadata: string): Field[] {
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
export function nameIn(metadata: string): string | undefined {
  const value = parseJson(metadata)
  const name = (value as { name?: unknown } | null | undefined)?.name
  return typeof name === 'string' && name !== '' ? escapeInvisible(name) : undefined
}
