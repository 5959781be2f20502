/**
 * Messages and transactions are signed in the same way, over a plain SHA-256 hash. A
 * page could therefore present a transaction as a harmless message. Bytes that a chain could accept as the sign
 * document of a transaction, in any sign mode and encoding, must never be signed as a message.
 */
import { parseJson } from './json-object.ts'
import { protobufFields } from './protobuf.ts'

/** Whether bytes could be the sign document of a transaction. */
export function isTransactionToSign(bytes: Uint8Array): boolean {
  return isSignDoc(bytes) || isAminoSignDoc(bytes) || isTextualSignDoc(bytes)
}

/**
 * `SignDoc` (SIGN_MODE_DIRECT) and its variant for auxiliary signers both have the bytes of the body and the
 * auth info as fields 1 and 2. Order, repetition, unknown fields and empty values do not matter.
 */
function isSignDoc(bytes: Uint8Array): boolean {
  const fields = protobufFields(bytes) ?? []
  const holds = (wanted: number) =>
    fields.some(({ number, wireType }) => number === wanted && wireType === 2)
  return holds(1) && holds(2)
}

/** The EIP-191 prefix before the JSON. */
const PERSONAL_MESSAGE = /^\p{Cc}Ethereum Signed Message:\n\d+?(?=\s*\{)/u

/** SIGN_MODE_LEGACY_AMINO_JSON: an object with at least the messages, the fee and the chain id. */
function isAminoSignDoc(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes).replace(PERSONAL_MESSAGE, '')
  const names = namesIn(text)
  return ['chain_id', 'fee', 'msgs'].every((name) => names.includes(name))
}

/** The names in a JSON object in lower case, since some JSON parsers ignore case. */
function namesIn(text: string): readonly string[] {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null
    ? Object.keys(value).map((name) => name.toLowerCase())
    : []
}

/** SIGN_MODE_TEXTUAL (ADR-050): a CBOR map with the list of screens under key 1. */
function isTextualSignDoc(bytes: Uint8Array): boolean {
  const document = readCbor(bytes, 0, 0)
  return document?.end === bytes.length && document.screens
}

interface CborItem {
  readonly end: number
  readonly type: 'list' | 'one' | 'other'
  /** Whether it is a map with a list under key 1. */
  readonly screens: boolean
}

// Deeper than any sign document.
const MAX_CBOR_LEVELS = 32
const BREAK = 0xff

/** Reads one CBOR item (RFC 8949), including non-canonical encodings. */
function readCbor(bytes: Uint8Array, start: number, level: number): CborItem | undefined {
  const head = bytes[start]
  if (head === undefined || level > MAX_CBOR_LEVELS) return undefined
  const major = head >> 5
  const count = countAt(bytes, start)
  if (count === undefined) return undefined
  const { value, end } = count
  switch (major) {
    case 0:
    case 1:
      if (value === undefined) return undefined
      return { end, type: major === 0 && value === 1n ? 'one' : 'other', screens: false }
    case 2:
    case 3:
      if (value === undefined) return readItems(bytes, end, { level, type: 'other' })
      return withinBytes(bytes, end + Number(value))
    case 4:
      return readItems(bytes, end, { level, type: 'list', items: value })
    case 5:
      return readItems(bytes, end, {
        level,
        type: 'other',
        isMap: true,
        items: value === undefined ? undefined : 2n * value,
      })
    case 6:
      return value === undefined ? undefined : readCbor(bytes, end, level + 1)
    default:
      return value === undefined ? undefined : { end, type: 'other', screens: false }
  }
}

function withinBytes(bytes: Uint8Array, end: number): CborItem | undefined {
  return end <= bytes.length ? { end, type: 'other', screens: false } : undefined
}

/** The count in an item's head; its value is undefined for indefinite-length items. */
function countAt(
  bytes: Uint8Array,
  at: number,
): { readonly value: bigint | undefined; readonly end: number } | undefined {
  const low = (bytes[at] ?? 0) & 0x1f
  if (low < 24) return { value: BigInt(low), end: at + 1 }
  if (low === 31) return { value: undefined, end: at + 1 }
  const size = low > 27 ? 0 : 2 ** (low - 24)
  const end = at + 1 + size
  if (size === 0 || end > bytes.length) return undefined
  return {
    value: bytes.subarray(at + 1, end).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n),
    end,
  }
}

/** Reads this many items, or all until a break if the number is undefined. */
function readItems(
  bytes: Uint8Array,
  start: number,
  {
    level,
    type,
    isMap = false,
    items,
  }: {
    readonly level: number
    readonly type: CborItem['type']
    readonly isMap?: boolean
    readonly items?: bigint | undefined
  },
): CborItem | undefined {
  let at = start
  let screens = false
  let previous: CborItem | undefined
  for (let left = items; left !== 0n; left = left === undefined ? undefined : left - 1n) {
    if (left === undefined && bytes[at] === BREAK) return { end: at + 1, type, screens }
    const item = readCbor(bytes, at, level + 1)
    if (item === undefined) return undefined
    const key = previous
    previous = isMap && key === undefined ? item : undefined
    if (key?.type === 'one' && item.type === 'list') screens = true
    at = item.end
  }
  return { end: at, type, screens }
}
