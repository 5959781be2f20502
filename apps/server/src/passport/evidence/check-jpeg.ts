import { type ContentCheck, isTooLarge } from './content-check.ts'

const MARKER = 0xff
const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9
const START_OF_IMAGE_BYTES = 2

/** Markers without a segment: restarts, and TEM. */
const isStandalone = (marker: number) => (marker >= 0xd0 && marker <= 0xd7) || marker === 0x01

/** Start of frame. DHT, JPG and DAC share the range but are not frames. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Follows the segments of a JPEG (ITU T.81) through all its scans to the end of the image. */
export function checkJpeg(bytes: Buffer): ContentCheck {
  let hasFrame = false
  let hasScan = false
  for (let at = START_OF_IMAGE_BYTES; at + 1 < bytes.length; ) {
    if (bytes[at] !== MARKER) break
    const marker = bytes[at + 1] ?? 0
    // Any number of fill bytes may precede a marker.
    if (marker === MARKER) {
      at += 1
      continue
    }
    at += 2
    if (marker === END_OF_IMAGE) {
      return hasFrame && hasScan ? { contentBytes: at } : { refusal: 'file-damaged' }
    }
    if (isStandalone(marker)) continue
    if (at + 2 > bytes.length) break
    const length = bytes.readUInt16BE(at)
    if (length < 2 || at + length > bytes.length) break
    if (isFrame(marker)) {
      if (length < 8) break
      const size = { height: bytes.readUInt16BE(at + 3), width: bytes.readUInt16BE(at + 5) }
      if (size.width === 0 || size.height === 0) break
      if (isTooLarge(size)) return { refusal: 'image-too-large' }
      hasFrame = true
    }
    at += length
    if (marker === START_OF_SCAN) {
      if (!hasFrame) break
      hasScan = true
      at = endOfScan(bytes, at)
    }
  }
  return { refusal: 'file-damaged' }
}

/** The next marker after compressed data, in which each 0xff byte is followed by zero or is a restart marker. */
function endOfScan(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(MARKER, from)
  while (at !== -1 && at + 1 < bytes.length) {
    const next = bytes[at + 1] ?? 0
    const isData = next === 0 || (next >= 0xd0 && next <= 0xd7)
    if (!isData) return at
    at = bytes.indexOf(MARKER, at + 2)
  }
  return bytes.length
}
