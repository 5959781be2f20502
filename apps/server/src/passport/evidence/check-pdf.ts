/**
 * Rejects PDF files (ISO 32000) that are encrypted or contain scripts, actions that start programs or send data, or embedded
 * files. The check does not follow the document's structure, which an attacker can make ambiguous. Instead it searches every
 * byte of the file and of every compressed stream for the names of these features, which are too long to occur by chance.
 *
 * It cannot inspect streams compressed twice or with anything but Flate. Object streams, the only streams in which the names
 * have an effect, must therefore be uncompressed or use Flate without parameters.
 */
import { constants, inflateRawSync } from 'node:zlib'
import type { ContentCheck, EvidenceRefusal } from './content-check.ts'

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
const OBJECT_STREAM = namePattern(['ObjStm'])
const OBJECT_STREAMS = new RegExp(OBJECT_STREAM, 'g')
const FILTER = namePattern(['Filter', 'F'])
const PARAMETERS = namePattern(['DecodeParms', 'DP'])
const FLATE = namePattern(['FlateDecode', 'Fl'])
const ONLY_FLATE = new RegExp(`${FILTER.source}\\s*\\[?\\s*${FLATE.source}\\s*[\\]/>]`)

/** The keyword before the bytes of a stream. Readers tolerate other characters on its line. */
const STREAM = /(?<!end)stream[^\r\n]{0,32}(?:\r\n|\n|\r)/g
/** The maximum size of a stream's dictionary. */
const MAX_DICTIONARY_BYTES = 8192

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
  let streams = 0
  let objectStreams = 0
  let inflatedBytes = 0
  for (const { 0: keyword, index } of text.matchAll(STREAM)) {
    streams += 1
    if (streams > MAX_STREAMS) return 'file-damaged'
    const before = text.slice(Math.max(0, index - MAX_DICTIONARY_BYTES), index)
    const dictionary = before.slice(before.lastIndexOf('obj') + 1)
    if (OBJECT_STREAM.test(dictionary)) {
      if (!isReadable(dictionary)) return 'file-has-active-content'
      objectStreams += 1
    }
    const inflated = inflate(document.subarray(index + keyword.length))
    if (inflated === undefined) {
      // Readers use the data before the damage.
      if (FLATE.test(dictionary)) return 'file-damaged'
      continue
    }
    inflatedBytes += inflated.length
    if (inflatedBytes > MAX_INFLATED_BYTES) return 'file-damaged'
    if (hasActiveName(inflated)) return 'file-has-active-content'
  }
  // An object stream whose dictionary the check does not recognize.
  const named = text.match(OBJECT_STREAMS)?.length ?? 0
  return named > objectStreams ? 'file-has-active-content' : undefined
}

/** Whether the check can inspect an object stream: it is uncompressed or compressed only by Flate. */
const isReadable = (dictionary: string) =>
  !FILTER.test(dictionary) || (ONLY_FLATE.test(dictionary) && !PARAMETERS.test(dictionary))

function hasActiveName(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at += SCANNED_AT_ONCE_BYTES) {
    const end = at + SCANNED_AT_ONCE_BYTES + MAX_NAME_LENGTH
    if (ACTIVE.test(bytes.toString('latin1', at, end))) return true
  }
  return false
}

/** zlib's header before the compressed data. */
const ZLIB_HEADER_BYTES = 2
const NOTHING = Buffer.alloc(0)

/**
 * A Flate stream's content; empty if the stream is not Flate; undefined if it is damaged or too large. Like readers, ignores
 * the checksum and anything after it.
 */
function inflate(bytes: Buffer): Buffer | undefined {
  const [method = 0, flags = 0] = bytes
  const isZlib = (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0
  if (!isZlib) return NOTHING
  try {
    return inflateRawSync(bytes.subarray(ZLIB_HEADER_BYTES), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: MAX_STREAM_BYTES,
    })
  } catch {
    return undefined // The error is useless: an attacker controls it.
  }
}
