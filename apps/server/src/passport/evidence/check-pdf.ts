/**
 * Rejects PDF files (ISO 32000) that are encrypted or contain scripts, actions that start programs or send data, or embedded
 * files. The check does not follow the document's structure, which an attacker can make ambiguous. Instead it searches every
 * byte of the file and of every stream, after undoing its filters, for the names of these features, which are too long to occur
 * by chance.
 *
 * The names have an effect in object streams. Readers find those by a reference, not by their type, but only with the key
 * `First`: a stream with it must have filters that the check can undo completely. Pictures keep the filters of pictures.
 */
import type { ContentCheck, EvidenceRefusal } from './content-check.ts'
import { dictionaryBefore, type PdfDictionary } from './pdf-dictionary.ts'
import { filtersOf, isImageFilter, isStandardFilter, undoFilter } from './pdf-filters.ts'

/** Names of features that a plain document does not need. */
const ACTIVE_NAMES = [
  'JavaScript',
  'Launch',
  'EmbeddedFile',
  'EmbeddedFiles',
  'FileAttachment',
  'RichMedia',
  'Rendition',
  'SubmitForm',
  'ImportData',
  'GoToE',
  'GoToR',
  'XFA',
]

/** In a name, `#` and two hexadecimal digits may stand for any character. A name ends with white space or a delimiter. */
function namePattern(
  names: readonly string[],
  end = String.raw`[\0\t\n\f\r ()<>[\]{}/%]|$`,
): RegExp {
  const alternatives = names.map((name) =>
    Array.from(name, (character) => {
      const code = character.charCodeAt(0).toString(16)
      const digits = Array.from(code, (digit) =>
        /\d/.test(digit) ? digit : `[${digit}${digit.toUpperCase()}]`,
      )
      return `(?:${character}|#${digits.join('')})`
    }).join(''),
  )
  return new RegExp(`/(?:${alternatives.join('|')})(?=${end})`)
}

/** The embedded files of a file specification, which need no other name: `/EF` and a dictionary or a reference to one. */
const FILES_OF_SPECIFICATION = namePattern(
  ['EF'],
  String.raw`(?:[\0\t\n\f\r ]|%[^\r\n]*[\r\n])*(?:<<|\d+[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+R)`,
)
const ACTIVE = new RegExp(`${namePattern(ACTIVE_NAMES).source}|${FILES_OF_SPECIFICATION.source}`)
/** Longer than any active name in any encoding. */
const MAX_NAME_LENGTH = 64
const ENCRYPTION = namePattern(['Encrypt'])

/** The beginning of an object, or the keyword before the bytes of a stream. */
const KEYWORD = /obj|(?<!end)stream/g
const SPACE_AT_END = /[\0\t\n\f\r ]*$/
/** Where the check looks for the end of a dictionary. */
const BEFORE_STREAM = 8192
/** Readers tolerate other characters on the keyword's line. */
const MAX_LINE = 8192

const END = Buffer.from('%%EOF')
/** Readers look for the end of a document in its last bytes. */
const END_WITHIN_BYTES = 1024

/** More than any real document has. */
const MAX_STREAMS = 50_000
/** Limits on inflated data, per stream and in total, against decompression bombs. */
const MAX_STREAM_BYTES = 64 * 1024 * 1024
const MAX_INFLATED_BYTES = 400 * 1024 * 1024
const SCANNED_AT_ONCE_BYTES = 1024 * 1024

export function checkPdf(bytes: Buffer): ContentCheck {
  const end = bytes.lastIndexOf(END)
  if (end === -1) return { refusal: 'file-damaged' }
  const document = bytes.subarray(0, end + END.length)
  const last = document.toString('latin1', Math.max(0, document.length - END_WITHIN_BYTES))
  const [, start = ''] = /startxref\s+(\d{1,10})\s+%%EOF$/.exec(last) ?? []
  if (start === '' || Number(start) >= document.length) return { refusal: 'file-damaged' }
  const text = document.toString('latin1')
  if (ENCRYPTION.test(text)) return { refusal: 'file-has-password' }
  const refusal = ACTIVE.test(text) ? 'file-has-active-content' : streamRefusal(document, text)
  return refusal === undefined ? { contentBytes: document.length } : { refusal }
}

/** Why one of a document's streams is rejected. */
function streamRefusal(document: Buffer, text: string): EvidenceRefusal | undefined {
  let [streams, inflatedBytes, object, stream] = [0, 0, -1, -1]
  for (const { 0: keyword, index } of text.matchAll(KEYWORD)) {
    if (keyword === 'obj') {
      object = index
      continue
    }
    streams += 1
    if (streams > MAX_STREAMS) return 'file-damaged'
    const before = text.slice(Math.max(0, index - BEFORE_STREAM), index)
    if (!before.replace(SPACE_AT_END, '').endsWith('>>')) {
      // The bytes of a stream can contain the word. Elsewhere a comment could hide the dictionary.
      if (stream <= object && isAfterComment(before)) return 'file-has-active-content'
      continue
    }
    const dictionary = dictionaryBefore(text, index)
    const start = startOfData(text, index + keyword.length)
    if (dictionary === undefined || start === undefined) return 'file-has-active-content'
    stream = index
    const limit = Math.min(MAX_STREAM_BYTES, MAX_INFLATED_BYTES - inflatedBytes)
    const content = contentOf(document.subarray(start), dictionary, limit)
    if ('refusal' in content) return content.refusal
    inflatedBytes += content.bytes.length
    if (hasActiveName(content.bytes)) return 'file-has-active-content'
  }
  return undefined
}

/** Whether the line before the keyword may be a comment. */
function isAfterComment(before: string): boolean {
  const rest = before.replace(SPACE_AT_END, '')
  if (!/[\n\r]/.test(before.slice(rest.length))) return false
  const line = Math.max(rest.lastIndexOf('\n'), rest.lastIndexOf('\r')) + 1
  return line === 0 || rest.includes('%', line)
}

/** The bytes of a stream begin on the next line. */
function startOfData(text: string, end: number): number | undefined {
  const line = text.slice(end, end + MAX_LINE)
  const lineBreak = /\r\n|\n|\r/.exec(line)
  return lineBreak === null ? undefined : end + lineBreak.index + lineBreak[0].length
}

/** What remains of a stream after its filters are undone, up to those of a picture. */
function contentOf(
  data: Buffer,
  dictionary: PdfDictionary,
  limit: number,
): { readonly bytes: Buffer } | { readonly refusal: EvidenceRefusal } {
  const filters = filtersOf(dictionary)
  const mayHaveObjects = dictionary.has('First')
  if (filters === undefined) return { refusal: 'file-has-active-content' }
  // Uncompressed bytes have been searched with the file.
  if (filters.length === 0) return { bytes: NOTHING }
  let bytes = data
  for (const filter of filters) {
    if (isImageFilter(filter)) {
      const isLast = filter === filters.at(-1)
      return isLast && !mayHaveObjects
        ? { bytes: bytes === data ? NOTHING : bytes }
        : { refusal: 'file-has-active-content' }
    }
    const undone = undoFilter(filter, bytes, limit)
    if (undone === undefined) {
      return { refusal: isStandardFilter(filter) ? 'file-damaged' : 'file-has-active-content' }
    }
    bytes = undone
  }
  return { bytes }
}

function hasActiveName(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at += SCANNED_AT_ONCE_BYTES) {
    const end = at + SCANNED_AT_ONCE_BYTES + MAX_NAME_LENGTH
    if (ACTIVE.test(bytes.toString('latin1', at, end))) return true
  }
  return false
}

const NOTHING = Buffer.alloc(0)
