/**
 * A signature over a message and a signature over a transaction are made the same way, SHA-256 and nothing else, so a
 * page could have a transaction signed under the name of a harmless message. Bytes that a chain could accept as the sign
 * document of a transaction, in any of its sign modes and in any encoding, are therefore never signed as a message.
 */
import { protobufFields } from './protobuf.ts'

/** Whether bytes could be what a chain verifies the signature of a transaction against. */
export function isTransactionToSign(bytes: Uint8Array): boolean {
  return isSignDoc(bytes) || isAminoSignDoc(bytes) || isTextualSignDoc(bytes)
}

/**
 * `SignDoc` (SIGN_MODE_DIRECT) and its variant for auxiliary signers both begin with the bytes of a body and of what
 * authorizes it; order, repetition, unknown fields and empty values do not matter.
 */
function isSignDoc(bytes: Uint8Array): boolean {
  const fields = protobufFields(bytes) ?? []
  const holds = (wanted: number) =>
    fields.some(({ number, wireType }) => number === wanted && wireType === 2)
  return holds(1) && holds(2)
}

/** What EIP-191 writes before the JSON. */
const PERSONAL_MESSAGE = /^\p{Cc}Ethereum Signed Message:\n\d+?(?=\s*\{)/u

/** SIGN_MODE_LEGACY_AMINO_JSON: an object with the messages, the fee and the chain, whatever else it holds. */
function isAminoSignDoc(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes).replace(PERSONAL_MESSAGE, '')
  const names = namesIn(text)
  return ['chain_id', 'fee', 'msgs'].every((name) => names.includes(name))
}

/** The names in a JSON object, in lower case: some readers of JSON ignore case. */
function namesIn(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
      ? Object.keys(value).map((name) => name.toLowerCase())
      : []
  } catch {
    // Not JSON, so not a document of this mode.
    return []
  }
}

/** SIGN_MODE_TEXTUAL (ADR-050): one CBOR map in which key 1 holds the list of screens. */
function isTextualSignDoc(bytes: Uint8Array): boolean {
  const document = readCbor(bytes, 0, 0)
  return document?.end === bytes.length && document.screens
}

interface CborItem {
  readonly end: number
  readonly type: 'list' | 'one' | 'other'
  /** Whether it is a map in which key 1 holds a list. */
  readonly screens: boolean
}

// Deeper than any document nests; what is deeper is not read.
const CBOR_LEVELS_MAXIMUM = 32
const BREAK = 0xff

/** Reads one CBOR item (RFC 8949), also one that is not written in the shortest way. */
function readCbor(bytes: Uint8Array, start: number, level: number): CborItem | undefined {
  const head = bytes[start]
  if (head === undefined || level > CBOR_LEVELS_MAXIMUM) return undefined
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

/** The count in an item's head: undefined as its value where the item lasts until a break. */
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

/** Reads so many items, or those until a break where their number is not given. */
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
