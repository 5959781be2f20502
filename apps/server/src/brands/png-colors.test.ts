import { crc32, deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { pngColors } from './png-colors.ts'

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

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
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, depth, kind, 0, 0, interlaced])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(rows.length, 4)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...Object.entries(more).map(([name, data]) => chunk(name, Buffer.from(data))),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ])
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
  for (const way of [{ depth: 16 }, { depth: 1 }, { interlaced: 1 }]) {
    expect(pngColors(png({ width: 1, kind: 0, ...way }, [[0, 0]]))).toEqual({ colors: undefined })
  }
})

test('9 an invalid, damaged, empty or huge PNG picture is refused', () => {
  const right = png({ width: 1, kind: 0 }, [[0, 0]])
  const errorOf = (bytes: Buffer) => pngColors(bytes)
  expect(errorOf(Buffer.from('<html>'))).toEqual({ error: 'is not a PNG picture' })
  const damaged = { error: 'is a damaged PNG picture; export it again' }
  for (let end = 8; end < right.length; end += 1) {
    expect(errorOf(right.subarray(0, end))).toEqual(damaged)
  }
  const changed = Buffer.from(right)
  changed[20] = 7
  expect(errorOf(changed)).toEqual(damaged)
  expect(errorOf(png({ width: 1, kind: 0 }, [[9, 0]]))).toEqual(damaged)
  expect(errorOf(png({ width: 1, kind: 0 }, [[0, 0, 0]]))).toEqual(damaged)
  expect(errorOf(png({ width: 1, kind: 1 }, [[0, 0]]))).toEqual(damaged)
  expect(errorOf(png({ width: 0, kind: 0 }, [[0]]))).toEqual(damaged)
  expect(errorOf(png({ width: 1, kind: 4 }, [[0, 9, 0]]))).toEqual({ error: 'draws nothing' })
  expect(errorOf(png({ width: 4_000_001, kind: 0 }, [[0]]))).toEqual({
    error: 'has more than 4000000 pixels',
  })
})
