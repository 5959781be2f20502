/**
 * Draws the installed mobile wallet's icon in the lender's color: a wallet with its clasp. Home screens need opaque images
 * of fixed sizes and crop them to their own shape.
 */
import { crc32, deflateSync } from 'node:zlib'

/** A PNG image; `color` is `#rrggbb`. */
export function walletIcon({
  size,
  color,
}: {
  readonly size: number
  readonly color: string
}): Buffer {
  const ink = inkOf.get(size) ?? draw(size)
  inkOf.set(size, ink)
  return encodePng(size, paint(size, ink, color))
}

/** Drawings by size, cached because drawing takes longer than coloring. */
const inkOf = new Map<number, Float32Array>()

const WHITE = 255

interface RoundedBox {
  /** The center and half the width and height, as fractions of the icon. */
  readonly x: number
  readonly y: number
  readonly halfWidth: number
  readonly halfHeight: number
  readonly radius: number
}

// Within the middle four fifths, which every home screen shape shows.
const BODY = { x: 0.5, y: 0.525, halfWidth: 0.27, halfHeight: 0.205, radius: 0.06 }
const FLAP = { x: 0.47, y: 0.37, halfWidth: 0.2, halfHeight: 0.085, radius: 0.05 }
const CLASP = { x: 0.7, y: 0.54, halfWidth: 0.13, halfHeight: 0.075, radius: 0.075 }
const STUD = { x: 0.655, y: 0.54, halfWidth: 0.026, halfHeight: 0.026, radius: 0.026 }
const GAP = 0.026

/** The distance to the edge of a box, as a fraction of the icon; negative inside. */
function distance({ x, y, halfWidth, halfHeight, radius }: RoundedBox, px: number, py: number) {
  const dx = Math.abs(px - x) - halfWidth + radius
  const dy = Math.abs(py - y) - halfHeight + radius
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius
}

/** How much of each pixel the drawing covers, from 0 to 1. */
function draw(size: number): Float32Array {
  // Half a pixel on each side of an edge is blended.
  const cover = (edge: number) => Math.min(Math.max(0.5 - edge * size, 0), 1)
  return Float32Array.from({ length: size * size }, (_, index) => {
    const [px, py] = [((index % size) + 0.5) / size, (Math.floor(index / size) + 0.5) / size]
    const body = cover(Math.min(distance(BODY, px, py), distance(FLAP, px, py)))
    const gap = cover(distance(CLASP, px, py) - GAP)
    const clasp = cover(distance(CLASP, px, py)) * (1 - cover(distance(STUD, px, py)))
    return Math.max(body * (1 - gap), clasp * cover(px - BODY.x - BODY.halfWidth))
  })
}

/** The rows of RGB pixels, white on the color, each with PNG's filter byte in front. */
function paint(size: number, ink: Float32Array, color: string): Buffer {
  const background = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  const rows = Buffer.alloc(size * (1 + 3 * size))
  for (const [index, part] of ink.entries()) {
    const at = index * 3 + Math.floor(index / size) + 1
    for (const [channel, value] of background.entries()) {
      rows[at + channel] = value + (WHITE - value) * part
    }
  }
  return rows
}

/** Encodes RGB rows (PNG, third edition, 5). */
function encodePng(size: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, checksum])
}
