import { crc32 } from 'node:zlib'
import { type ContentCheck, isTooLarge } from './content-check.ts'

const SIGNATURE_BYTES = 8
/** A chunk's length and type before its data, and its checksum after it. */
const CHUNK_HEAD_BYTES = 8
const CHECKSUM_BYTES = 4
const HEADER_DATA_BYTES = 13

/** Follows the chunks of a PNG (ISO 15948) with their checksums from the header to the end. */
export function checkPng(bytes: Buffer): ContentCheck {
  let hasPixels = false
  for (let at = SIGNATURE_BYTES; at + CHUNK_HEAD_BYTES + CHECKSUM_BYTES <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const end = at + CHUNK_HEAD_BYTES + length
    if (end + CHECKSUM_BYTES > bytes.length) break
    const type = bytes.toString('latin1', at + 4, at + CHUNK_HEAD_BYTES)
    const isHeader = type === 'IHDR'
    if (isHeader !== (at === SIGNATURE_BYTES)) break
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) break
    if (isHeader) {
      if (length !== HEADER_DATA_BYTES) break
      const size = {
        width: bytes.readUInt32BE(at + CHUNK_HEAD_BYTES),
        height: bytes.readUInt32BE(at + CHUNK_HEAD_BYTES + 4),
      }
      if (size.width === 0 || size.height === 0) break
      if (isTooLarge(size)) return { refusal: 'image-too-large' }
    }
    hasPixels ||= type === 'IDAT'
    at = end + CHECKSUM_BYTES
    if (type === 'IEND') return hasPixels ? { contentBytes: at } : { refusal: 'file-damaged' }
  }
  return { refusal: 'file-damaged' }
}
