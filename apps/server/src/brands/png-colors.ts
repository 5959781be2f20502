/**
 * Extracts the main colors of a PNG picture to check whether a logo is visible. Supports eight bits per channel without
 * interlacing, which is how logos are usually saved. Other images are accepted unchecked.
 */
import { crc32, inflateSync } from 'node:zlib'
import { undoPngFilters } from '../png-filters/png-filters.ts'

/** A PNG file's main colors, undefined for an unsupported format, or an error. */
export type PngColors =
  | { readonly colors: readonly string[] | undefined }
  | { readonly error: string }

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const MAX_PIXELS = 4_000_000
/** The channels of each PNG color type and the bit depths that it allows (PNG 11.2.2). */
const COLOR_TYPES: Readonly<
  Record<number, { readonly channels: number; readonly depths: readonly number[] }>
> = {
  0: { channels: 1, depths: [1, 2, 4, 8, 16] },
  2: { channels: 3, depths: [8, 16] },
  3: { channels: 1, depths: [1, 2, 4, 8] },
  4: { channels: 2, depths: [8, 16] },
  6: { channels: 4, depths: [8, 16] },
}
const [PALETTE, HALF_OPAQUE] = [3, 128]
/** A color on a smaller share of the visible pixels is an edge or a speck. */
const MIN_SHARE = 0.02

export function pngColors(bytes: Buffer): PngColors {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE))
    return { error: 'is not a PNG picture' }
  const damaged = { error: 'is a damaged PNG picture; export it again' }
  const chunks = chunksOf(bytes)
  const header = chunks?.get('IHDR')
  const data = chunks?.get('IDAT')
  if (chunks === undefined || header?.length !== 13 || data === undefined) return damaged
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth = 0, colorType = 0, compression, filter, interlace = 0] = header.subarray(8)
  if (width * height > MAX_PIXELS) return { error: `has more than ${MAX_PIXELS} pixels` }
  const { channels: size = 0, depths = [] } = COLOR_TYPES[colorType] ?? {}
  const palette = chunks.get('PLTE') ?? Buffer.alloc(0)
  const isValid =
    width * height > 0 &&
    depths.includes(depth) &&
    compression === 0 &&
    filter === 0 &&
    interlace <= 1 &&
    (colorType !== PALETTE || isPalette(palette))
  if (!isValid) return damaged
  if (depth !== 8 || interlace !== 0) return { colors: undefined }
  const rows = rowsOf(data, { width: width * size, height, size })
  if (rows === undefined) return damaged
  const colors = mainColors(rows, {
    size,
    colorType,
    palette,
    transparency: chunks.get('tRNS') ?? Buffer.alloc(0),
  })
  return colors.length === 0 ? { error: 'draws nothing' } : { colors }
}

/** A palette has 1 to 256 colors of three bytes. */
function isPalette({ length }: Buffer): boolean {
  return length > 0 && length % 3 === 0 && length <= 3 * 256
}

/**
 * The chunks of the file by name, joined if repeated; undefined if one is truncated or damaged, or the header is not the
 * first.
 */
function chunksOf(bytes: Buffer): ReadonlyMap<string, Buffer> | undefined {
  const parts = new Map<string, Buffer[]>()
  for (let at = SIGNATURE.length; at + 12 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at)
    if (end + 4 > bytes.length) return undefined
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return undefined
    const name = bytes.toString('latin1', at + 4, at + 8)
    const data = bytes.subarray(at + 8, end)
    const repeated = parts.get(name)
    if (repeated === undefined) parts.set(name, [data])
    else repeated.push(data)
    // Browsers ignore anything after the end.
    if (name === 'IEND') break
    at = end + 4
  }
  const [first] = parts.keys()
  if (first !== 'IHDR' || !parts.has('IEND')) return undefined
  return new Map([...parts].map(([name, found]) => [name, Buffer.concat(found)]))
}

/** Returns the pixels row by row. */
function rowsOf(
  data: Buffer,
  { width, height, size }: { width: number; height: number; size: number },
): Buffer | undefined {
  const expected = (width + 1) * height
  let filtered: Buffer
  try {
    filtered = inflateSync(data, { maxOutputLength: expected })
  } catch {
    // Not compressed data, or more than the image has pixels.
    return undefined
  }
  if (filtered.length !== expected) return undefined
  return undoPngFilters(filtered, { row: width, pixel: size })
}

/** The colors with a visible share, counting similar ones together. */
function mainColors(
  pixels: Buffer,
  {
    size,
    colorType,
    palette,
    transparency,
  }: Readonly<{ size: number; colorType: number; palette: Buffer; transparency: Buffer }>,
): readonly string[] {
  const found = new Map<number, { count: number; hex: string }>()
  let visible = 0
  const byte = (bytes: Buffer, at: number) => bytes[at] ?? 0
  for (let at = 0; at < pixels.length; at += size) {
    const index = byte(pixels, at)
    const from = colorType === PALETTE ? palette : pixels
    const first = colorType === PALETTE ? index * 3 : at
    const step = size < 3 && colorType !== PALETTE ? 0 : 1
    const rgb =
      (byte(from, first) << 16) | (byte(from, first + step) << 8) | byte(from, first + 2 * step)
    const alpha =
      colorType === PALETTE ? transparency[index] : size % 2 === 0 ? pixels[at + size - 1] : 255
    if ((alpha ?? 255) < HALF_OPAQUE) continue
    visible += 1
    const similar = rgb & 0xf0f0f0
    const color = found.get(similar)
    if (color) color.count += 1
    else found.set(similar, { count: 1, hex: `#${rgb.toString(16).padStart(6, '0')}` })
  }
  const most = [...found.values()].toSorted((one, other) => other.count - one.count)
  return most
    .filter(({ count }, at) => at === 0 || count >= visible * MIN_SHARE)
    .map(({ hex }) => hex)
}
