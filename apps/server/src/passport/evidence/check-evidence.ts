/**
 * Checks uploaded evidence by its content: only complete PDF, JPEG and PNG files, without active content and small enough to
 * open anywhere. Bytes after the end of the document or image are not served, so polyglot files, such as an image that is
 * also an archive, are delivered only as what was checked.
 */
import type { PassportFile } from '@portico/contracts/passport'
import { checkJpeg } from './check-jpeg.ts'
import { checkPdf } from './check-pdf.ts'
import { checkPng } from './check-png.ts'
import type { ContentCheck, EvidenceRefusal } from './content-check.ts'

type EvidenceType = NonNullable<PassportFile['type']>

export type EvidenceCheck =
  | { readonly type: EvidenceType; readonly contentBytes: number }
  | { readonly refusal: EvidenceRefusal }

const FORMATS: readonly {
  readonly type: EvidenceType
  readonly signature: Buffer
  readonly check: (bytes: Buffer) => ContentCheck
}[] = [
  { type: 'application/pdf', signature: Buffer.from('%PDF-'), check: checkPdf },
  { type: 'image/jpeg', signature: Buffer.from([0xff, 0xd8, 0xff]), check: checkJpeg },
  { type: 'image/png', signature: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), check: checkPng },
]

const formatOf = (bytes: Buffer) =>
  FORMATS.find(({ signature }) => bytes.subarray(0, signature.length).equals(signature))

/** Whether a file that begins with these bytes may be accepted. */
export function hasEvidenceSignature(bytes: Uint8Array): boolean {
  return formatOf(Buffer.from(bytes)) !== undefined
}

/** Checks a whole file. */
export function checkEvidence(bytes: Buffer): EvidenceCheck {
  const format = formatOf(bytes)
  if (format === undefined) return { refusal: 'file-type-refused' }
  const checked = format.check(bytes)
  if ('refusal' in checked) return checked
  const { contentBytes } = checked
  return hasArchiveEnd(bytes.subarray(0, contentBytes))
    ? { refusal: 'file-type-refused' }
    : { type: format.type, contentBytes }
}

const ARCHIVE_END = Buffer.from('PK\x05\x06', 'latin1')
const ARCHIVE_END_BYTES = 22
const MAX_ARCHIVE_COMMENT_BYTES = 65_535

/** Whether ZIP programs would find an end-of-archive record, with a comment up to the end of the file. */
function hasArchiveEnd(bytes: Buffer): boolean {
  const from = Math.max(0, bytes.length - ARCHIVE_END_BYTES - MAX_ARCHIVE_COMMENT_BYTES)
  const last = bytes.subarray(from)
  for (let at = last.indexOf(ARCHIVE_END); at !== -1; at = last.indexOf(ARCHIVE_END, at + 1)) {
    const end = at + ARCHIVE_END_BYTES
    if (end <= last.length && end + last.readUInt16LE(end - 2) <= last.length) return true
  }
  return false
}
