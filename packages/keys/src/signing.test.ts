import { secp256k1 } from '@noble/curves/secp256k1.js'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import protocol from '../vectors/protocol.json' with { type: 'json' }
import signatures from '../vectors/signatures.json' with { type: 'json' }
import { base64urlOf, bytesOfHex, hexOf } from './bytes.ts'
import { publicKeyOf, sign } from './signing.ts'

const bytes = (hex: string) => bytesOfHex(hex) ?? new Uint8Array()
const HALF_ORDER = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0'

test('5 a raw key signs as published', () => {
  const vector = signatures.vectors.find(({ signatureB64url }) => signatureB64url !== undefined)
  const message = new TextEncoder().encode(vector?.messageUtf8)
  expect(base64urlOf(sign(bytes(vector?.privateKeyHex ?? ''), message))).toBe(
    vector?.signatureB64url,
  )
})

test.each(protocol.signatures.filter(({ privateKeyHex }) => privateKeyHex !== undefined))(
  '5 signs as published: $name',
  (vector) => {
    const privateKey = bytes(vector.privateKeyHex ?? '')
    expect(hexOf(publicKeyOf(privateKey))).toBe(vector.publicKeyHex)
    expect(hexOf(sign(privateKey, bytes(vector.messageHex)))).toBe(vector.signatureHex)
  },
)

test('5 a signature has 64 bytes and low S, and is deterministic (RFC 6979)', () => {
  const aKey = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((key) => {
    const [first = 0] = key
    return first > 0 && first < 0xff
  })
  fc.assert(
    fc.property(aKey, fc.uint8Array({ maxLength: 100 }), (privateKey, message) => {
      const signature = sign(privateKey, message)
      expect(signature).toHaveLength(64)
      expect(hexOf(signature.subarray(32)) <= HALF_ORDER).toBe(true)
      expect(sign(privateKey, message)).toEqual(signature)
      expect(secp256k1.sign(message, privateKey)).toEqual(signature)
      expect(secp256k1.getPublicKey(privateKey)).toEqual(publicKeyOf(privateKey))
    }),
    { numRuns: 30 },
  )
})

test.each([
  ['nothing', ''],
  ['zero', '00'.repeat(32)],
  ['the order of the curve', 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'],
  ['a byte too many', '01'.repeat(33)],
])('5 %s is not a private key', (_, hex) => {
  const refusal = expect.objectContaining({ code: 'private-key-invalid' })
  expect(() => publicKeyOf(bytes(hex))).toThrow(refusal)
  expect(() => sign(bytes(hex), new Uint8Array(1))).toThrow(refusal)
})
