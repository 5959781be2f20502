import { bech32 } from '@scure/base'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import addresses from '../vectors/addresses.json' with { type: 'json' }
import published from '../vectors/bech32.json' with { type: 'json' }
import protocol from '../vectors/protocol.json' with { type: 'json' }
import { addressOf, decodeAddress, encodeAddress, isAddress } from './bech32-address.ts'
import { bytesOfBase64, bytesOfHex, hexOf } from './bytes.ts'
import { publicKeyOf } from './signature.ts'

const aPublicKey = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((bytes) => bytes.some((byte) => byte !== 0) && (bytes[0] ?? 0) < 0xff)
  .map(publicKeyOf)
const aPrefix = fc.constantFrom('pb', 'tp', 'cosmos', 'a1b')
const LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'.split('')

test.each(protocol.keys)('3 the key at $hdPath has the address $address', (vector) => {
  const publicKey = bytesOfBase64(vector.publicKeyB64) ?? new Uint8Array()
  expect(addressOf(publicKey, vector.hrp)).toBe(vector.address)
})

test('3 any prefix gives an address', () => {
  const publicKey = bytesOfBase64(protocol.anyPrefix.publicKeyB64) ?? new Uint8Array()
  expect(addressOf(publicKey, 'cosmos')).toBe(protocol.anyPrefix.address)
})

test('3 each key has its own address', () => {
  const vector = addresses.vectors.find(({ notAddress }) => notAddress !== undefined)
  const publicKey = publicKeyOf(bytesOfHex(vector?.privateKeyHex ?? '') ?? new Uint8Array())
  expect(addressOf(publicKey, 'tp')).toBe(vector?.address)
  expect(addressOf(publicKey, 'tp')).not.toBe(vector?.notAddress)
})

test.each(published.encode)(
  '3 $bech32 decodes to its bytes if it is as long as an address',
  (vector) => {
    const isOurs = vector.dataHex.length === 40 && vector.hrp === 'tp'
    const decoded = decodeAddress(vector.bech32)
    expect(decoded && hexOf(decoded.bytes)).toBe(isOurs ? vector.dataHex : undefined)
    expect(isAddress(vector.bech32)).toBe(isOurs)
  },
)

test.each([
  ...published.invalid,
  '',
  'tp1',
  'A12UEL5L',
  'tp1KNSXFNN0LQ48MMNKFNKGTKK8QNXXDU0Y2TKLKH',
  'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkq',
])('3 %j is not an address', (text) => {
  expect(decodeAddress(text)).toBeUndefined()
  expect(isAddress(text)).toBe(false)
})

test('3 upper-case addresses are decoded, and encoding is lower-case only', () => {
  const capitals = 'TP1KNSXFNN0LQ48MMNKFNKGTKK8QNXXDU0Y2TKLKH'
  expect(decodeAddress(capitals)).toEqual(decodeAddress(capitals.toLowerCase()))
  expect(isAddress(capitals)).toBe(false)
})

test.each([
  [20, true],
  [32, true],
  [19, false],
  [21, false],
  [33, false],
])(
  '3 an account has 20 bytes and a group policy 32: %i are an address: %j',
  (length, isAddressLength) => {
    const text = bech32.encodeFromBytes('tp', new Uint8Array(length).fill(7))
    expect(decodeAddress(text)?.bytes.length).toBe(isAddressLength ? length : undefined)
    expect(isAddress(text)).toBe(isAddressLength)
  },
)

test("3 every key's address can be decoded, and one wrong letter is detected", () => {
  fc.assert(
    fc.property(
      aPublicKey,
      aPrefix,
      fc.nat(),
      fc.constantFrom(...LETTERS),
      (key, prefix, at, letter) => {
        const address = addressOf(key, prefix)
        expect(isAddress(address)).toBe(true)
        expect(decodeAddress(address)).toMatchObject({ prefix })
        const place = prefix.length + 1 + (at % (address.length - prefix.length - 1))
        const wrong = address.slice(0, place) + letter + address.slice(place + 1)
        expect(isAddress(wrong)).toBe(wrong === address)
      },
    ),
    { numRuns: 50 },
  )
})

test('3 decoding an address never throws', () => {
  fc.assert(
    fc.property(fc.anything(), (anything) => {
      expect(decodeAddress(anything as string)).toBeUndefined()
    }),
  )
})

test.each([
  ['public-key-invalid', new Uint8Array(33), 'tp'],
  ['public-key-invalid', new Uint8Array(65).fill(4), 'tp'],
  ['prefix-invalid', new Uint8Array(33).fill(2), ''],
  ['prefix-invalid', new Uint8Array(33).fill(2), 'TP'],
  ['prefix-invalid', new Uint8Array(33).fill(2), 'test%='],
])('3 invalid arguments give no address: %s', (code, key, prefix) => {
  expect(() => addressOf(key, prefix)).toThrow(expect.objectContaining({ code }))
})

test('3 an address of 20 or 32 bytes round-trips, and other lengths are refused', () => {
  for (const length of [20, 32]) {
    const bytes = new Uint8Array(length).fill(7)
    expect(decodeAddress(encodeAddress({ prefix: 'tp', bytes }))).toEqual({ prefix: 'tp', bytes })
  }
  expect(() => encodeAddress({ prefix: 'tp', bytes: new Uint8Array(21) })).toThrow(
    expect.objectContaining({ code: 'address-bytes-invalid' }),
  )
})
