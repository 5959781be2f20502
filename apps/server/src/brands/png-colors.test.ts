import { crc32, deflateSync } from 'node:zlib'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { pngColors } from './png-colors.ts'

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

const DAMAGED = { error: 'is a damaged PNG picture; export it again' }

/** The IHDR chunk: dimensions, bit depth, color type, and the compression, filter and interlace methods. */
function ihdr(width: number, height: number, rest: readonly number[] = [8, 0, 0, 0, 0]): Buffer {
  const data = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, ...rest])
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  return chunk('IHDR', data)
}

const fileOf = (...chunks: readonly Buffer[]) =>
  Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks, chunk('IEND', Buffer.alloc(0))])

/** A PNG picture from filtered rows. */
function png(
  {
    width,
    kind,
    depth = 8,
    interlaced = 0,
  }: { width: number; kind: number; depth?: number; interlaced?: number },
  rows: readonly (readonly number[])[],
  more: Readonly<Record<string, readonly number[]>> = {},
): Buffer {
  return fileOf(
    ihdr(width, rows.length, [depth, kind, 0, 0, interlaced]),
    ...Object.entries(more).map(([name, data]) => chunk(name, Buffer.from(data))),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
  )
}

test('9 the colors of a PNG picture are found with any filter: none, sub, up, average, Paeth', () => {
  const rows = [
    [0, 200, 100, 50, 200, 100, 50],
    [1, 200, 100, 50, 0, 0, 0],
    [2, 0, 0, 0, 0, 0, 0],
    [3, 100, 50, 25, 0, 0, 0],
    [4, 0, 0, 0, 0, 0, 0],
  ]
  expect(pngColors(png({ width: 2, kind: 2 }, rows))).toEqual({ colors: ['#c86432'] })
})

test.each<
  [string, number, readonly number[], Readonly<Record<string, readonly number[]>>, string[]]
>([
  ['grey', 0, [0, 17, 17], {}, ['#111111']],
  ['grey, half of it transparent', 4, [0, 17, 255, 238, 0], {}, ['#111111']],
  ['true color with transparency', 6, [0, 1, 2, 3, 255, 9, 9, 9, 127], {}, ['#010203']],
  ['a palette', 3, [0, 1, 0], { PLTE: [255, 255, 255, 0, 0, 255] }, ['#0000ff', '#ffffff']],
  [
    'a palette with transparency',
    3,
    [0, 1, 0],
    { PLTE: [255, 255, 255, 0, 0, 255], tRNS: [0] },
    ['#0000ff'],
  ],
])('9 the colors of a PNG picture: %s', (_, kind, row, more, colors) => {
  expect(pngColors(png({ width: 2, kind }, [row], more))).toEqual({ colors })
})

test('9 a speck does not count as a color of a logo', () => {
  const row = [0, ...Array.from({ length: 99 }, () => 20), 255]
  expect(pngColors(png({ width: 100, kind: 0 }, [row]))).toEqual({ colors: ['#141414'] })
})

test('9 the colors of unsupported kinds of pictures are undefined', () => {
  for (const header of [{ depth: 16 }, { depth: 1 }, { interlaced: 1 }]) {
    expect(pngColors(png({ width: 1, kind: 0, ...header }, [[0, 0]]))).toEqual({
      colors: undefined,
    })
  }
})

test('9 an invalid, damaged, empty or huge PNG picture is refused', () => {
  const valid = png({ width: 1, kind: 0 }, [[0, 0]])
  expect(pngColors(Buffer.from('<html>'))).toEqual({ error: 'is not a PNG picture' })
  for (let end = 8; end < valid.length; end += 1) {
    expect(pngColors(valid.subarray(0, end))).toEqual(DAMAGED)
  }
  const changed = Buffer.from(valid)
  changed[20] = 7
  expect(pngColors(changed)).toEqual(DAMAGED)
  expect(pngColors(png({ width: 1, kind: 0 }, [[9, 0]]))).toEqual(DAMAGED)
  expect(pngColors(png({ width: 1, kind: 0 }, [[0, 0, 0]]))).toEqual(DAMAGED)
  expect(pngColors(png({ width: 1, kind: 1 }, [[0, 0]]))).toEqual(DAMAGED)
  expect(pngColors(png({ width: 0, kind: 0 }, [[0]]))).toEqual(DAMAGED)
  expect(pngColors(png({ width: 1, kind: 4 }, [[0, 9, 0]]))).toEqual({ error: 'draws nothing' })
  expect(pngColors(png({ width: 4_000_001, kind: 0 }, [[0]]))).toEqual({
    error: 'has more than 4000000 pixels',
  })
})

const ONE_PIXEL = chunk('IDAT', deflateSync(Buffer.from([0, 0])))

test('9 a PNG picture that declares 30,000 x 30,000 pixels is refused before anything is allocated', () => {
  const before = process.memoryUsage().arrayBuffers
  expect(pngColors(fileOf(ihdr(30_000, 30_000), ONE_PIXEL))).toEqual({
    error: 'has more than 4000000 pixels',
  })
  expect(pngColors(fileOf(ihdr(0xff_ff_ff_ff, 0xff_ff_ff_ff), ONE_PIXEL))).toEqual({
    error: 'has more than 4000000 pixels',
  })
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000)
})

test('9 PNG data that inflates to far more than its picture is refused with bounded memory', () => {
  const bomb = chunk('IDAT', deflateSync(Buffer.alloc(200_000_000)))
  const before = process.memoryUsage().arrayBuffers
  expect(pngColors(fileOf(ihdr(1, 1), bomb))).toEqual(DAMAGED)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000)
})

test('9 a PNG picture of the maximum size and number of chunks is read quickly', () => {
  const rows = deflateSync(Buffer.alloc(2000 * (2000 * 4 + 1), Buffer.from([4])))
  const chunks = Array.from({ length: 10_000 }, () => chunk('tEXt', Buffer.alloc(0)))
  const before = process.cpuUsage()
  const read = pngColors(fileOf(ihdr(2000, 2000, [8, 6, 0, 0, 0]), ...chunks, chunk('IDAT', rows)))
  expect(read).toHaveProperty('colors')
  // CPU time, which does not depend on the machine's other load.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000)
})

test.each<[string, Buffer]>([
  ['chunk length beyond the end', Buffer.from('7fffffff49484452', 'hex')],
  ['chunk length of 4 GB', Buffer.from('ffffffff49484452', 'hex')],
  ['chunk that ends after its name', Buffer.from('0000000d49484452', 'hex')],
])('9 a PNG picture with a %s is damaged', (_, bytes) => {
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  expect(pngColors(Buffer.concat([signature, bytes]))).toEqual(DAMAGED)
  expect(pngColors(Buffer.concat([signature, bytes, Buffer.alloc(64)]))).toEqual(DAMAGED)
})

test.each(['IHDR', 'IDAT', 'IEND'])(
  '9 a PNG picture with a wrong CRC of its %s is damaged',
  (name) => {
    const bytes = fileOf(ihdr(1, 1), ONE_PIXEL)
    const at = bytes.indexOf(name)
    const crcAt = at + 4 + bytes.readUInt32BE(at - 4)
    bytes[crcAt] = (bytes[crcAt] ?? 0) ^ 1
    expect(pngColors(bytes)).toEqual(DAMAGED)
  },
)

test.each<[string, Buffer]>([
  ['no header', fileOf(ONE_PIXEL)],
  ['a header that is not first', fileOf(ONE_PIXEL, ihdr(1, 1))],
  ['two headers', fileOf(ihdr(1, 1), ihdr(1, 1), ONE_PIXEL)],
  ['no data', fileOf(ihdr(1, 1))],
  ['a bit depth of 7', fileOf(ihdr(1, 1, [7, 0, 0, 0, 0]), ONE_PIXEL)],
  ['a bit depth that its color type does not have', fileOf(ihdr(1, 1, [4, 2, 0, 0, 0]), ONE_PIXEL)],
  ['an unknown compression method', fileOf(ihdr(1, 1, [8, 0, 1, 0, 0]), ONE_PIXEL)],
  ['an unknown filter method', fileOf(ihdr(1, 1, [8, 0, 0, 1, 0]), ONE_PIXEL)],
  ['an unknown interlace method', fileOf(ihdr(1, 1, [8, 0, 0, 0, 2]), ONE_PIXEL)],
  ['no palette', fileOf(ihdr(1, 1, [8, 3, 0, 0, 0]), ONE_PIXEL)],
  [
    'a palette of one byte',
    fileOf(ihdr(1, 1, [8, 3, 0, 0, 0]), chunk('PLTE', Buffer.alloc(1)), ONE_PIXEL),
  ],
])('9 a PNG picture with %s is damaged', (_, bytes) => {
  expect(pngColors(bytes)).toEqual(DAMAGED)
})

test('9 corrupted or random bytes never make the PNG parser throw or hang', () => {
  const seed = 20_261_122
  const valid = png({ width: 2, kind: 2 }, [
    [1, 200, 100, 50, 0, 0, 0],
    [4, 0, 0, 0, 0, 0, 0],
  ])
  const isRefusedOrRead = (bytes: Buffer) => {
    const read = pngColors(bytes)
    if ('error' in read) expect(read.error).toMatch(/PNG picture|pixels|draws nothing/)
    else
      expect(read.colors ?? []).toEqual(
        (read.colors ?? []).map(() => expect.stringMatching(/^#[\da-f]{6}$/)),
      )
  }
  const change = fc.tuple(fc.nat({ max: valid.length - 1 }), fc.nat({ max: 255 }))
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
      const bytes = Buffer.from(valid)
      for (const [at, byte] of changes) bytes[at] = byte
      isRefusedOrRead(bytes)
    }),
    { seed, numRuns: 2000 },
  )
  // Correct checksums, so that the content of each chunk is read.
  const content = fc.uint8Array({ maxLength: 40 })
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 5, maxLength: 5 }),
      content,
      content,
      (header, data, palette) => {
        const idat = chunk('IDAT', deflateSync(data))
        const size = 1 + ((data[0] ?? 0) % 4)
        isRefusedOrRead(
          fileOf(ihdr(size, size, [...header]), chunk('PLTE', Buffer.from(palette)), idat),
        )
        isRefusedOrRead(fileOf(ihdr(size, size), chunk('IDAT', Buffer.from(data))))
      },
    ),
    { seed, numRuns: 2000 },
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
      isRefusedOrRead(Buffer.from(bytes))
      isRefusedOrRead(Buffer.concat([valid.subarray(0, 8), bytes]))
    }),
    { seed, numRuns: 500 },
  )
})

test('9 data after the end of a PNG picture is ignored, as in browsers', () => {
  const picture = png({ width: 1, kind: 2 }, [[0, 200, 100, 50]])
  expect(pngColors(Buffer.concat([picture, Buffer.alloc(40, 7)]))).toEqual(pngColors(picture))
})
