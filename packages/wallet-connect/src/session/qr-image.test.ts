import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { qrImage } from './qr-image.ts'

const URI = `wc:8a5e5bdc-a0e4-4702-ba63-8f1a5655744f@1?bridge=https%3A%2F%2Frelay.example&key=${'a'.repeat(64)}`

async function drawn(options: Parameters<typeof qrImage>[1]) {
  return decodeURIComponent((await qrImage(URI, options)).slice('data:image/svg+xml,'.length))
}

test('protocol 14: the image has exactly the dark modules of the code', async () => {
  const svg = await drawn({ showLogo: false })
  const { data, size } = encode(URI, { ecc: 'M', border: 0 })
  const painted = data.map((row) => row.map(() => false))
  for (const [, x, y, width] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1/g)) {
    painted[Number(y)]?.fill(true, Number(x), Number(x) + Number(width))
  }
  expect(painted).toEqual(data)
  expect(svg).toContain(`viewBox="0 0 ${size} ${size}"`)
})

test('9 by default: white background, black foreground, padding 0, logo shown', async () => {
  const svg = await drawn({})
  const { size } = encode(URI, { ecc: 'Q', border: 0 })
  expect(svg).toContain(`viewBox="0 0 ${size} ${size}"`)
  expect(svg).toContain(`<rect x="0" y="0" width="${size}" height="${size}" fill="#ffffff"/>`)
  expect([...new Set(svg.match(/#[0-9a-f]{6}/g))]).toEqual(['#ffffff', '#000000'])
  expect(svg).toContain('viewBox="0 0 24 24"')
})

test.each([182, 256])(
  '9 a code at %i px has modules of whole pixels, at least two, for a text of any length',
  async (pixels) => {
    for (const length of [40, 120, 250, 350, 430, 480, 530, 600, 710]) {
      const picture = await qrImage('a'.repeat(length), { pixels })
      const svg = decodeURIComponent(picture.slice('data:image/svg+xml,'.length))
      const [, start = Number.NaN, whole = Number.NaN] =
        /viewBox="(\S+) \S+ (\S+) /.exec(svg)?.map(Number) ?? []
      const each = pixels / whole
      expect(each).toBeGreaterThanOrEqual(2)
      expect(each).toBeCloseTo(Math.round(each), 9)
      expect(-start * each).toBeCloseTo(Math.round(-start * each), 9)
      // Codes with lower error correction have no logo.
      const isStrong = encode('a'.repeat(length), { ecc: 'Q', border: 0 }).size <= pixels / 2
      expect(svg.includes('viewBox="0 0 24 24"')).toBe(isStrong)
    }
  },
)

test('protocol 14: the page chooses colors, padding and logo, and cannot inject markup', async () => {
  const svg = await drawn({
    backgroundColor: '"><script>alert(1)</script>',
    foregroundColor: '#123456',
    logoColor: '#654321',
    padding: 4,
  })
  expect(svg).toContain('fill="#123456"')
  expect(svg).toContain('fill="#654321"')
  expect(svg).toContain('viewBox="-4 -4 ')
  expect(svg).not.toContain('<script')
})
