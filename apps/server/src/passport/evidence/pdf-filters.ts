/**
 * Undoes the filters of PDF streams (ISO 32000, 7.4), strictly: data that readers could decode in another way is damaged. The
 * filters of images are not undone; whether a stream may end with one is for the caller to decide.
 */
import { constants, inflateRawSync } from 'node:zlib'
import { undoPngFilters } from '../../png-filters/png-filters.ts'
import type { PdfDictionary, PdfValue } from './pdf-dictionary.ts'

/** The filters of a stream, in the order in which they are undone, or why they cannot be. */
export interface PdfFilter {
  readonly name: string
  readonly parameters: PdfDictionary
}

const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ['AHx', 'ASCIIHexDecode'],
  ['A85', 'ASCII85Decode'],
  ['LZW', 'LZWDecode'],
  ['Fl', 'FlateDecode'],
  ['RL', 'RunLengthDecode'],
  ['CCF', 'CCITTFaxDecode'],
  ['DCT', 'DCTDecode'],
])

/** Their result is a picture. */
const IMAGE_FILTERS = new Set(['CCITTFaxDecode', 'DCTDecode', 'JBIG2Decode', 'JPXDecode'])

const UNDONE_FILTERS = new Set([
  'ASCIIHexDecode',
  'ASCII85Decode',
  'LZWDecode',
  'FlateDecode',
  'RunLengthDecode',
])

export const isImageFilter = ({ name }: PdfFilter) => IMAGE_FILTERS.has(name)

/** Whether `undoFilter` can undo it. */
export const isStandardFilter = ({ name }: PdfFilter) => UNDONE_FILTERS.has(name)

const NO_PARAMETERS: PdfDictionary = new Map()

/** Keys that say that the data is in another file. */
const OTHER_FILE = ['F', 'FFilter', 'FDecodeParms']

/** The filters of a stream; undefined if a reader might see others: by reference, in another file, or encrypted. */
export function filtersOf(dictionary: PdfDictionary): readonly PdfFilter[] | undefined {
  if (OTHER_FILE.some((key) => dictionary.has(key))) return undefined
  if (dictionary.has('DecodeParms') && dictionary.has('DP')) return undefined
  const filter = dictionary.get('Filter')
  const given = dictionary.get('DecodeParms') ?? dictionary.get('DP')
  const parameters = listOf(given)
  if (!parameters.every(isParameters)) return undefined
  // Readers differ in whether one dictionary counts for a list of filters. Only objects must be certain.
  const differs = (filter?.kind === 'array') !== (given?.kind === 'array')
  const hasParameters = parameters.some(({ kind }) => kind === 'dictionary')
  if (differs && hasParameters && dictionary.has('First')) return undefined
  const filters = listOf(filter).map((value, index) => {
    const own = parameters[index]
    return value.kind === 'name'
      ? {
          name: ABBREVIATIONS.get(value.name) ?? value.name,
          parameters: own?.kind === 'dictionary' ? own.entries : NO_PARAMETERS,
        }
      : undefined
  })
  return filters.every((each) => each !== undefined) ? filters : undefined
}

const listOf = (value: PdfValue | undefined): readonly PdfValue[] =>
  value === undefined ? [] : value.kind === 'array' ? value.items : [value]

/** A reference is refused: what it names can be replaced. */
const isParameters = ({ kind }: PdfValue) => kind === 'dictionary' || kind === 'null'

/** Undoes one filter. Returns undefined for damaged data, an unknown filter, and more than `limit` bytes. */
export function undoFilter(
  { name, parameters }: PdfFilter,
  bytes: Buffer,
  limit: number,
): Buffer | undefined {
  switch (name) {
    case 'ASCIIHexDecode':
      return undoHex(bytes)
    case 'ASCII85Decode':
      return undoBase85(bytes, limit)
    case 'RunLengthDecode':
      return undoRunLength(bytes, limit)
    case 'FlateDecode':
      return undoPredictor(inflate(bytes, limit), parameters)
    case 'LZWDecode':
      return undoPredictor(undoLzw(bytes, parameters, limit), parameters)
    default:
      return undefined
  }
}

/** An empty stream, whose end follows at once. */
const EMPTY = /^[\0\t\n\f\r ]*endstream/
const NOTHING = Buffer.alloc(0)

const isEmpty = (bytes: Buffer) => EMPTY.test(bytes.toString('latin1', 0, 32))

const isSpace = (byte: number) =>
  byte === 0x20 || (byte >= 0x09 && byte <= 0x0d && byte !== 0x0b) || byte === 0

const digitOf = (byte: number) =>
  byte >= 0x30 && byte <= 0x39
    ? byte - 0x30
    : (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66
      ? (byte | 0x20) - 0x57
      : undefined

function undoHex(bytes: Buffer): Buffer | undefined {
  const end = bytes.indexOf('>')
  if (end === -1) return undefined
  const decoded = Buffer.alloc(Math.ceil(end / 2))
  let digits = 0
  for (const byte of bytes.subarray(0, end)) {
    if (isSpace(byte)) continue
    const digit = digitOf(byte)
    if (digit === undefined) return undefined
    const at = digits >> 1
    decoded[at] = (decoded[at] ?? 0) | (digits % 2 === 0 ? digit << 4 : digit)
    digits += 1
  }
  return decoded.subarray(0, Math.ceil(digits / 2))
}

function undoBase85(bytes: Buffer, limit: number): Buffer | undefined {
  const end = bytes.indexOf('~')
  if (end === -1) return undefined
  const output = new Output(limit)
  let group: number[] = []
  for (const byte of bytes.subarray(0, end)) {
    if (isSpace(byte)) continue
    if (byte === 0x7a && group.length === 0) {
      if (!output.add([0, 0, 0, 0])) return undefined
      continue
    }
    if (byte < 0x21 || byte > 0x75) return undefined
    group.push(byte - 0x21)
    if (group.length === 5) {
      if (!output.add(bytesOfGroup(group))) return undefined
      group = []
    }
  }
  if (group.length === 1) return undefined
  if (group.length > 1) {
    const last = bytesOfGroup([...group, 84, 84, 84].slice(0, 5)).slice(0, group.length - 1)
    if (!output.add(last)) return undefined
  }
  return output.bytes()
}

function bytesOfGroup(group: readonly number[]): readonly number[] {
  const value = group.reduce((sum, digit) => sum * 85 + digit, 0)
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) & 0xff)
}

function undoRunLength(bytes: Buffer, limit: number): Buffer | undefined {
  const output = new Output(limit)
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at] ?? 128
    if (length === 128) return output.bytes()
    const isCopy = length < 128
    const run = isCopy
      ? bytes.subarray(at + 1, at + 2 + length)
      : Buffer.alloc(257 - length, bytes[at + 1] ?? 0)
    if (!output.add(run)) return undefined
    at += isCopy ? length + 2 : 2
  }
  return undefined
}

const CLEAR_CODE = 256
const END_CODE = 257
const MAX_CODES = 4096

function undoLzw(bytes: Buffer, parameters: PdfDictionary, limit: number): Buffer | undefined {
  const early = numberIn(parameters, 'EarlyChange', 1)
  if (early !== 0 && early !== 1) return undefined
  const output = new Output(limit)
  const single = Array.from({ length: 256 }, (_, byte) => Buffer.from([byte]))
  let table: Buffer[] = []
  let previous: Buffer | undefined
  let [width, buffered, bits, at] = [9, 0, 0, 0]
  for (;;) {
    while (bits < width) {
      const byte = bytes[at]
      if (byte === undefined) return undefined
      buffered = ((buffered << 8) | byte) & 0xffffff
      bits += 8
      at += 1
    }
    bits -= width
    const code = (buffered >> bits) & ((1 << width) - 1)
    if (code === END_CODE) return output.bytes()
    if (code === CLEAR_CODE) {
      table = []
      previous = undefined
      width = 9
      continue
    }
    const first = previous?.[0]
    const known = code < CLEAR_CODE ? single[code] : table[code - END_CODE - 1]
    const isNext = code === END_CODE + 1 + table.length
    const entry =
      known ??
      (isNext && previous !== undefined && first !== undefined
        ? Buffer.concat([previous, Buffer.from([first])])
        : undefined)
    if (entry === undefined || !output.add(entry)) return undefined
    if (previous !== undefined) {
      const added = Buffer.concat([previous, entry.subarray(0, 1)])
      if (END_CODE + 1 + table.length < MAX_CODES) table.push(added)
    }
    previous = entry
    const next = END_CODE + 1 + table.length + early
    width = next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9
  }
}

/** zlib's header before the compressed data. */
const ZLIB_HEADER_BYTES = 2

/** Like readers, ignores the checksum and anything after it. */
function inflate(bytes: Buffer, limit: number): Buffer | undefined {
  const [method = 0, flags = 0] = bytes
  const isZlib = (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0 && (flags & 0x20) === 0
  if (!isZlib) return isEmpty(bytes) ? NOTHING : undefined
  try {
    return inflateRawSync(bytes.subarray(ZLIB_HEADER_BYTES), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: limit,
    })
  } catch {
    return undefined // The error is useless: an attacker controls it.
  }
}

const MAX_COLUMNS = 1_000_000

function undoPredictor(bytes: Buffer | undefined, parameters: PdfDictionary): Buffer | undefined {
  const predictor = numberIn(parameters, 'Predictor', 1)
  if (bytes === undefined || predictor === 1) return bytes
  const colors = numberIn(parameters, 'Colors', 1)
  const depth = numberIn(parameters, 'BitsPerComponent', 8)
  const columns = numberIn(parameters, 'Columns', 1)
  const isValid =
    [1, 2, 4, 8, 16].includes(depth) &&
    [colors, columns].every((each) => Number.isInteger(each) && each > 0 && each <= MAX_COLUMNS)
  if (!isValid) return undefined
  const pixel = Math.max(1, Math.ceil((colors * depth) / 8))
  const row = Math.ceil((colors * depth * columns) / 8)
  if (predictor === 2) return depth === 8 ? undoTiff(bytes, { row, pixel }) : undefined
  // The type of each row counts, whatever the predictor.
  return predictor >= 10 && predictor <= 15 ? undoPngFilters(bytes, { row, pixel }) : undefined
}

function undoTiff(bytes: Buffer, { row, pixel }: { row: number; pixel: number }): Buffer {
  const decoded = Buffer.from(bytes)
  for (let at = 0; at < decoded.length; at += 1) {
    if (at % row >= pixel) decoded[at] = (decoded[at] ?? 0) + (decoded[at - pixel] ?? 0)
  }
  return decoded
}

/** A parameter that is a number; NaN if it is something else. */
function numberIn(parameters: PdfDictionary, key: string, absent: number): number {
  const value = parameters.get(key)
  return value === undefined ? absent : value.kind === 'number' ? value.value : Number.NaN
}

/** Bytes that are added in pieces, up to a limit. */
class Output {
  readonly #limit: number
  #buffer = Buffer.alloc(4096)
  #length = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  add(bytes: Uint8Array | readonly number[]): boolean {
    const length = this.#length + bytes.length
    if (length > this.#limit) return false
    if (length > this.#buffer.length) {
      this.#buffer = Buffer.concat([this.#buffer], Math.max(length, 2 * this.#buffer.length))
    }
    this.#buffer.set(bytes, this.#length)
    this.#length = length
    return true
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }
}
