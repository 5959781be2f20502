import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { signEs256k, verifyEs256k } from './es256k.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const numbers = (bytes: Buffer) => ({
  r: BigInt(`0x${bytes.subarray(0, 32).toString('hex')}`),
  s: BigInt(`0x${bytes.subarray(32).toString('hex')}`),
})
const withS = (signature: Buffer, s: bigint) =>
  Buffer.concat([signature.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')])

/** The private key 1, used by the published vectors for deterministic secp256k1 signatures. */
const ONE = createPrivateKey({
  format: 'jwk',
  key: {
    kty: 'EC',
    crv: 'secp256k1',
    d: Buffer.from('1'.padStart(64, '0'), 'hex').toString('base64url'),
    x: Buffer.from(
      '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
      'hex',
    ).toString('base64url'),
    y: Buffer.from(
      '483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8',
      'hex',
    ).toString('base64url'),
  },
})

const VECTORS = [
  [
    'Satoshi Nakamoto',
    '934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8' +
      '2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5',
  ],
  [
    'All those moments will be lost in time, like tears in rain. Time to die...',
    '8600dbd41e348fe5c9465ab92d23e3db8b98b873beecd930736488696438cb6b' +
      '547fe64427496db33bf66019dacbf0039c04199abb0122918601db38a72cfc21',
  ],
] as const

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
const other = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey

test.each(VECTORS)('3 the published signature of %j verifies', (text, hex) => {
  const signature = Buffer.from(hex, 'hex')
  const key = createPublicKey(ONE)
  expect(verifyEs256k(text, signature, key)).toBe(true)
  expect(verifyEs256k(`${text} `, signature, key)).toBe(false)
  expect(verifyEs256k(text, signature, publicKey)).toBe(false)
})

test('3 a signature verifies and has low S; its high-S counterpart is rejected', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const signature = signEs256k(text, privateKey)
      const { s } = numbers(signature)
      expect(s <= ORDER / 2n).toBe(true)
      expect(verifyEs256k(text, signature, publicKey)).toBe(true)
      expect(verifyEs256k(text, withS(signature, ORDER - s), publicKey)).toBe(false)
      expect(verifyEs256k(text, signature, other)).toBe(false)
      expect(verifyEs256k(`${text}.`, signature, publicKey)).toBe(false)
    }),
  )
})

test('3 a signature with one flipped bit is rejected', () => {
  const signature = signEs256k('text', privateKey)
  fc.assert(
    fc.property(fc.nat({ max: 511 }), (bit) => {
      const changed = Buffer.from(signature)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(verifyEs256k('text', changed, publicKey)).toBe(false)
    }),
  )
})

test('3 malformed signatures are rejected without throwing', () => {
  const edges = [0n, 1n, ORDER / 2n, ORDER / 2n + 1n, ORDER - 1n, ORDER, 2n ** 256n - 1n]
  for (const r of edges) {
    for (const s of edges) {
      const bytes = Buffer.from(
        [r, s].map((number) => number.toString(16).padStart(64, '0')).join(''),
        'hex',
      )
      expect(verifyEs256k('text', bytes, publicKey)).toBe(false)
    }
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      expect(verifyEs256k('text', Buffer.from(bytes), publicKey)).toBe(false)
    }),
  )
})
