import { secp256k1 } from '@noble/curves/secp256k1.js'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import jwts from '../vectors/jwt.json' with { type: 'json' }
import protocol from '../vectors/protocol.json' with { type: 'json' }
import { bytesOfBase64url, bytesOfHex, hexOf } from './bytes.ts'
import { publicKeyOf, sign } from './signing.ts'
import { verify } from './verify.ts'
import { verify as verifyNatively } from './verify-native.ts'

const ORDER = secp256k1.Point.Fn.ORDER
const bytes = (hex: string) => bytesOfHex(hex) ?? new Uint8Array()
const scalar = (value: bigint) => bytes(value.toString(16).padStart(64, '0'))
const joined = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]))

/** The same signature with the other value of S. */
function twin(signature: Uint8Array): Uint8Array {
  const s = BigInt(`0x${hexOf(signature.subarray(32))}`)
  return joined(signature.subarray(0, 32), scalar(ORDER - s))
}

const aPrivateKey = fc.bigInt({ min: 1n, max: ORDER - 1n }).map(scalar)
const aMessage = fc.uint8Array({ maxLength: 200 })

const PRIVATE_KEY = scalar(7n)
const PUBLIC_KEY = publicKeyOf(PRIVATE_KEY)
const MESSAGE = new TextEncoder().encode('a message')
const SIGNATURE = sign(PRIVATE_KEY, MESSAGE)
const R = SIGNATURE.subarray(0, 32)
const S = SIGNATURE.subarray(32)

// Both verifiers must accept and refuse exactly the same input.
describe.each([
  ['the portable verifier', verify],
  ["Node's own verifier", verifyNatively],
])('%s', (_, verify) => {
  test.each(protocol.signatures)('5 accepts a published signature: $name', (vector) => {
    const parts = [vector.publicKeyHex, vector.messageHex, vector.signatureHex] as const
    const [publicKey, message, signature] = parts.map(bytes) as [Uint8Array, Uint8Array, Uint8Array]
    expect(verify(publicKey, message, signature)).toBe(true)
    expect(verify(publicKey, joined(message, message), signature)).toBe(false)
  })

  test.each(jwts.vectors)('5 gives the published verdicts: $name', (vector) => {
    const [unsigned = '', signature = ''] = vector.jwt.split(/\.(?=[^.]*$)/)
    const parts = [
      bytes(vector.publicKeyHex),
      new TextEncoder().encode(unsigned),
      bytesOfBase64url(signature) ?? new Uint8Array(),
    ] as const
    expect(verify(...parts)).toBe(vector.verifies.lowSRequired)
    expect(verify(...parts, { highS: 'accept' })).toBe(vector.verifies.anyS)
  })

  test('5 accepts signatures of any key over any message, and not their high-S form', () => {
    fc.assert(
      fc.property(aPrivateKey, aMessage, (privateKey, message) => {
        const publicKey = publicKeyOf(privateKey)
        const signature = sign(privateKey, message)
        expect(verify(publicKey, message, signature)).toBe(true)
        expect(verify(publicKey, message, twin(signature))).toBe(false)
        expect(verify(publicKey, message, twin(signature), { highS: 'accept' })).toBe(true)
      }),
      { numRuns: 30 },
    )
  })

  test('5 refuses a signature by another key', () => {
    fc.assert(
      fc.property(aPrivateKey, aPrivateKey, aMessage, (one, other, message) => {
        fc.pre(hexOf(one) !== hexOf(other))
        expect(verify(publicKeyOf(other), message, sign(one, message))).toBe(false)
      }),
      { numRuns: 30 },
    )
  })

  test('5 detects every flipped bit of key, message and signature', () => {
    const whole = joined(PUBLIC_KEY, MESSAGE, SIGNATURE)
    for (let bit = 0; bit < whole.length * 8; bit += 1) {
      const flipped = Uint8Array.from(whole)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const key = flipped.subarray(0, 33)
      const message = flipped.subarray(33, 33 + MESSAGE.length)
      const signature = flipped.subarray(33 + MESSAGE.length)
      expect(verify(key, message, signature, { highS: 'accept' }), `bit ${bit}`).toBe(false)
    }
  })

  test.each([
    ['nothing', new Uint8Array()],
    ['a byte too few', SIGNATURE.subarray(0, 63)],
    ['a byte too many', joined(SIGNATURE, Uint8Array.of(0))],
    ['DER instead of r and s', secp256k1.sign(MESSAGE, PRIVATE_KEY, { format: 'der' })],
    ['a recovery byte before it', joined(Uint8Array.of(0), SIGNATURE)],
    ['zeroes', new Uint8Array(64)],
    ['r of zero', joined(scalar(0n), S)],
    ['s of zero', joined(R, scalar(0n))],
    ['r of the order', joined(scalar(ORDER), S)],
    ['s of the order', joined(R, scalar(ORDER))],
    ['r beyond the order by its own value', joined(bytes('f'.repeat(64)), S)],
    ['s beyond the order', joined(R, bytes('f'.repeat(64)))],
    ['r and s exchanged', joined(S, R)],
  ])('5 refuses %s as a signature without throwing', (_, signature) => {
    expect(verify(PUBLIC_KEY, MESSAGE, signature)).toBe(false)
    expect(verify(PUBLIC_KEY, MESSAGE, signature, { highS: 'accept' })).toBe(false)
  })

  test.each([
    ['nothing', new Uint8Array()],
    ['zeroes', new Uint8Array(33)],
    ['the point at infinity', Uint8Array.of(0)],
    ['an x that is not on the curve', joined(Uint8Array.of(2), scalar(5n))],
    ['an x beyond the field', joined(Uint8Array.of(2), bytes('f'.repeat(64)))],
    ['an uncompressed key', secp256k1.getPublicKey(PRIVATE_KEY, false)],
    [
      'a hybrid key',
      joined(Uint8Array.of(6), secp256k1.getPublicKey(PRIVATE_KEY, false).subarray(1)),
    ],
    ['a key without its first byte', PUBLIC_KEY.subarray(1)],
    ['a private key', PRIVATE_KEY],
  ])('5 refuses %s as a key without throwing', (_, publicKey) => {
    expect(verify(publicKey, MESSAGE, SIGNATURE)).toBe(false)
  })

  test('5 returns false for arbitrary bytes and never throws', () => {
    const key = fc.oneof(fc.constant(PUBLIC_KEY), fc.uint8Array({ minLength: 33, maxLength: 33 }))
    const signature = fc.uint8Array({ minLength: 64, maxLength: 64 })
    fc.assert(
      fc.property(key, aMessage, signature, (publicKey, message, garbage) => {
        expect(verify(publicKey, message, garbage, { highS: 'accept' })).toBe(false)
      }),
      { numRuns: 60 },
    )
    const anything = fc.anything() as fc.Arbitrary<Uint8Array>
    fc.assert(
      fc.property(anything, anything, anything, (publicKey, message, garbage) => {
        expect(verify(publicKey, message, garbage)).toBe(false)
        expect(verify(PUBLIC_KEY, MESSAGE, garbage)).toBe(false)
        expect(verify(publicKey, MESSAGE, SIGNATURE)).toBe(false)
      }),
    )
  })
})
