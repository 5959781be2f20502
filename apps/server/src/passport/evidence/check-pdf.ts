/**
 * Rejects PDF files (ISO 32000) that are encrypted or contain scripts, actions that start programs or send data, media, or
 * embedded or external files. The check does not follow the document's structure, which an attacker can make ambiguous. Instead it searches every
 * byte of the file and of every stream, after undoing its filters, for the names of these features, which are too long to occur
 * by chance.
 *
 * Readers begin at any address that the file gives them. So every beginning of an object is read forward from there, and none may
 * lie within another object. What two readers could understand differently is refused.
 *
 * The names have an effect in object streams. Readers find those by a reference, not by their type, but only with the key
 * `First`: a stream with it must have filters that the check can undo completely. Pictures keep the filters of pictures.
 */
import type { ContentCheck, EvidenceRefusal } from './content-check.ts'
import { objectAt, type PdfDictionary } from './pdf-dictionary.ts'
import { filtersOf, isImageFilter, isStandardFilter, undoFilter } from './pdf-filters.ts'

/**
 * Names of features that a plain document does not need: the types of actions and annotations of ISO 32000-2 (12.5.6, 12.6.4)
 * that run something, play media, or read or write files. The others stay within the document (GoTo, GoToDp, Named, Hide,
 * ResetForm, SetOCGState, Trans, GoTo3DView) or lead to a website after a click (URI).
 */
const ACTIVE_NAMES = [
  'JavaScript',
  'Launch',
  'EmbeddedFile',
  'EmbeddedFiles',
  'FileAttachment',
  'RichMedia',
  'RichMediaExecute',
  'Rendition',
  'Sound',
  'Movie',
  // An article, which may be in another file.
  'Thread',
  'SubmitForm',
  'ImportData',
  'GoToE',
  'GoToR',
  'XFA',
  // The script of a 3D model.
  'OnInstantiate',
  // Addresses that a program fetches again (Web Capture).
  'SpiderInfo',
]

/** Keys of content that is read from another file, or that runs on a printer (ISO 32000-1, 8.8.2, 8.10.4, 14.11.7). */
const ACTIVE_STREAM_KEYS = ['Ref', 'OPI', 'PS']
const SUBTYPES = ['Subtype', 'Subtype2']

/** In a name, `#` and two hexadecimal digits may stand for any character. A name ends with white space or a delimiter. */
function namePattern(
  names: readonly string[],
  // The data of a stream ends before `endstream`.
  end = String.raw`[\0\t\n\f\r ()<>[\]{}/%]|$|endstream`,
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

/** Short names count only with a dictionary or a reference to one: the embedded files of a file specification, and 3D models. */
const SHORT_NAMES = namePattern(
  ['EF', '3DD'],
  String.raw`(?:[\0\t\n\f\r ]|%[^\r\n]*[\r\n])*(?:<<|\d+[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+R)`,
)
const ACTIVE = new RegExp(`${namePattern(ACTIVE_NAMES).source}|${SHORT_NAMES.source}`)
/** Readers differ in where objects in a stream end, so their names may be cut off anywhere. */
const ACTIVE_IN_OBJECTS = new RegExp(
  `${namePattern(ACTIVE_NAMES, '').source}|${SHORT_NAMES.source}`,
)
/** Longer than any active name in any encoding. */
const MAX_NAME_LENGTH = 64
const ENCRYPTION = namePattern(['Encrypt'])

/** The beginning of an object, or the keyword before the bytes of a stream. */
const KEYWORD = /obj(?![^\0\t\n\f\r ()<>[\]{}/%\d])|(?<!end)stream/g
/** Two numbers are before the keyword of an object. Comments may be between them. */
const GAP = String.raw`(?:[\0\t\n\f\r ]|%[^\r\n]*[\r\n])`
const OBJECT_NUMBERS = new RegExp(String.raw`[\d.]${GAP}+[+\d.]+${GAP}*$`)
/** Almost always, the numbers are this near. */
const BEFORE_OBJECT = 32
const SPACE_AT_END = /[\0\t\n\f\r ]*$/
/** How far the check looks back from a keyword. */
const BEFORE_KEYWORD = 8192
/** The bytes of a stream begin on the next line. Readers differ after a lone carriage return. */
const LINE_BREAK = / {0,100}\r?\n/y

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

/** Why one of a document's objects or streams is rejected. */
function streamRefusal(document: Buffer, text: string): EvidenceRefusal | undefined {
  let [streams, inflatedBytes, lastObject, lastStream, objectEnd] = [0, 0, -1, -1, -1]
  let dictionary: PdfDictionary | undefined
  for (const { 0: keyword, index } of text.matchAll(KEYWORD)) {
    if (keyword === 'obj') {
      lastObject = index
      if (!beginsObject(text, index)) continue
      const object = objectAt(text, index + keyword.length)
      if (object === undefined || index < objectEnd) return 'file-has-active-content'
      objectEnd = object.end
      dictionary = object.isCertain ? object.dictionary : undefined
      continue
    }
    streams += 1
    if (streams > MAX_STREAMS) return 'file-damaged'
    if (index !== objectEnd) {
      const before = text.slice(Math.max(0, index - BEFORE_KEYWORD), index)
      // The bytes of a stream can contain the word. Elsewhere a comment could hide the dictionary.
      const isUncertain =
        before.replace(SPACE_AT_END, '').endsWith('>>') ||
        (lastStream <= lastObject && isAfterComment(before))
      if (isUncertain) return 'file-has-active-content'
      continue
    }
    if (dictionary === undefined) return 'file-has-active-content'
    lastStream = index
    const limit = Math.min(MAX_STREAM_BYTES, MAX_INFLATED_BYTES - inflatedBytes)
    const content = contentOf(document, index + keyword.length, { text, dictionary, limit })
    if ('refusal' in content) return content.refusal
    inflatedBytes += content.bytes.length
    const names = dictionary.has('First') ? ACTIVE_IN_OBJECTS : ACTIVE
    if (hasName(content.bytes, names)) return 'file-has-active-content'
  }
  return undefined
}

/** Whether a reader may take the keyword for the beginning of an object. */
function beginsObject(text: string, index: number): boolean {
  const before = (length: number) => text.slice(Math.max(0, index - length), index)
  return (
    /[\d.\0\t\n\f\r ]$/.test(before(1)) &&
    (OBJECT_NUMBERS.test(before(BEFORE_OBJECT)) || OBJECT_NUMBERS.test(before(BEFORE_KEYWORD)))
  )
}

/** Whether the line before the keyword may be a comment. */
function isAfterComment(before: string): boolean {
  const rest = before.replace(SPACE_AT_END, '')
  if (!/[\n\r]/.test(before.slice(rest.length))) return false
  const line = Math.max(rest.lastIndexOf('\n'), rest.lastIndexOf('\r')) + 1
  return line === 0 || rest.includes('%', line)
}

/** What remains of a stream after its filters are undone, up to those of a picture. */
function contentOf(
  document: Buffer,
  keywordEnd: number,
  {
    text,
    dictionary,
    limit,
  }: { readonly text: string; readonly dictionary: PdfDictionary; readonly limit: number },
): { readonly bytes: Buffer } | { readonly refusal: EvidenceRefusal } {
  const filters = filtersOf(dictionary)
  const mayHaveObjects = dictionary.has('First')
  if (filters === undefined || isActive(dictionary)) return { refusal: 'file-has-active-content' }
  if (filters.length === 0) {
    // Uncompressed bytes have been searched with the file, except for names that may be cut off.
    const end = text.indexOf('endstream', keywordEnd)
    const objects = document.subarray(keywordEnd, end === -1 ? undefined : end)
    if (!mayHaveObjects) return { bytes: NOTHING }
    return objects.length > limit ? { refusal: 'file-damaged' } : { bytes: objects }
  }
  LINE_BREAK.lastIndex = keywordEnd
  if (!LINE_BREAK.test(text)) return { refusal: 'file-has-active-content' }
  const data = document.subarray(LINE_BREAK.lastIndex)
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

/** Whether the stream is content from elsewhere, or a program of a printer. */
function isActive(dictionary: PdfDictionary): boolean {
  const isProgram = SUBTYPES.some((key) => {
    const subtype = dictionary.get(key)
    return subtype?.kind === 'name' && subtype.name === 'PS'
  })
  return isProgram || ACTIVE_STREAM_KEYS.some((key) => dictionary.has(key))
}

function hasName(bytes: Buffer, names: RegExp): boolean {
  for (let at = 0; at < bytes.length; at += SCANNED_AT_ONCE_BYTES) {
    const end = at + SCANNED_AT_ONCE_BYTES + MAX_NAME_LENGTH
    if (names.test(bytes.toString('latin1', at, end))) return true
  }
  return false
}

const NOTHING = Buffer.alloc(0)
