import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  base64Of,
  base64urlOf,
  bytesOfBase64,
  bytesOfBase64url,
  bytesOfHex,
  hexOf,
} from './bytes.ts'

const aBytes = fc.uint8Array({ maxLength: 80 })

test('3 hex in either case and all variants of base64 round-trip', () => {
  fc.assert(
    fc.property(aBytes, (bytes) => {
      expect(bytesOfHex(hexOf(bytes))).toEqual(bytes)
      expect(bytesOfHex(hexOf(bytes).toUpperCase())).toEqual(bytes)
      const variants = [base64Of(bytes), base64urlOf(bytes)].flatMap((text) => {
        const bare = text.replaceAll('=', '')
        return [bare, bare.padEnd(Math.ceil(bare.length / 4) * 4, '=')]
      })
      for (const text of variants) expect(bytesOfBase64(text)).toEqual(bytes)
      expect(bytesOfBase64url(base64urlOf(bytes))).toEqual(bytes)
    }),
  )
})

test.each([
  ['half a byte', '0'],
  ['a prefix', '0xdeadbeef'],
  ['a letter that is not hex', '0123456789abcDEFg1'],
  ['a space', 'de ad'],
  ['a line end', 'dead\n'],
])('5 %s is not hex: %j', (_, text) => {
  expect(bytesOfHex(text)).toBeUndefined()
})

test.each([
  ['one letter alone', 'A'],
  ['padding that is too long', 'AAAA===='],
  ['padding that is too short', 'AA='],
  ['unnecessary padding', 'AAAA='],
  ['padding in the middle', 'A=AA'],
  ['nonzero trailing bits', 'AB'],
  ['a space', 'AA AA'],
  ['a line end', 'AAAA\n'],
  ['an invalid letter', 'AA*A'],
])('3 %s is not base64: %j', (_, text) => {
  expect(bytesOfBase64(text)).toBeUndefined()
  expect(bytesOfBase64url(text)).toBeUndefined()
})

test.each(['AAA=', 'AA+A', 'AA/A'])('3 a token has base64url without padding, not %j', (text) => {
  expect(bytesOfBase64(text)).toBeDefined()
  expect(bytesOfBase64url(text)).toBeUndefined()
})

test('3 decoding any text gives its bytes or undefined, and base64url is canonical', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => {
      const fromHex = bytesOfHex(text)
      if (fromHex) expect(hexOf(fromHex)).toBe(text.toLowerCase())
      const fromUrl = bytesOfBase64url(text)
      if (fromUrl) expect(base64urlOf(fromUrl)).toBe(text)
      expect([undefined, text.replaceAll('=', '').length]).toContain(
        lengthInBase64(bytesOfBase64(text)),
      )
    }),
  )
})

function lengthInBase64(bytes: Uint8Array | undefined) {
  return bytes && base64urlOf(bytes).length
}
