import { encodeQR } from 'qr'
import { expect, test, vi } from 'vitest'
import { type LoadZxing, type Pixels, readImage } from './read-image.ts'

/** A picture of a code, with black modules on white, or without a code. */
function picture(text?: string): Pixels {
  const rows = text === undefined ? [[false]] : encodeQR(text, 'raw', { border: 4, scale: 4 })
  const side = rows.length
  const data = new Uint8ClampedArray(
    rows.flat().flatMap((isBlack) => (isBlack ? [0, 0, 0, 255] : [255, 255, 255, 255])),
  )
  return { data, width: side, height: side }
}

const loadZxing = () =>
  vi.fn<LoadZxing>(async () => {
    const readBarcodes = async () => [{ text: 'found by the larger decoder' }]
    return readBarcodes as never // The other results of the library are not used.
  })

test('2.7 the larger decoder is loaded only for a picture that the small one cannot read, and only if allowed', async () => {
  const load = loadZxing()
  expect(await readImage(picture('wc:topic@1'), load)).toBe('wc:topic@1')
  expect(load).not.toHaveBeenCalled()
  expect(await readImage(picture(), undefined)).toBeUndefined()
  expect(await readImage(picture(), load)).toBe('found by the larger decoder')
  expect(load).toHaveBeenCalledOnce()
})
