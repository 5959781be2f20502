import { bytesOfHex } from '@portico/keys/bytes'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import published from '../../vectors/encryption.json' with { type: 'json' }
import reference from '../../vectors/reference.json' with { type: 'json' }
import { envelopeKey, open, seal } from './envelope.ts'
import { parseFrame } from './frame.ts'

const vectors = [...published.vectors, ...reference.envelopes]
const bytes = (hex: string) => new Uint8Array(bytesOfHex(hex) ?? [])
const keyOf = (hex: string) => envelopeKey(bytes(hex))
const ONE = reference.envelopes[0]

test('protocol 4: the published envelopes are reproduced byte by byte and can be decrypted', async () => {
  expect(vectors).toHaveLength(6)
  for (const { key, iv, data, hmac, plaintext } of vectors) {
    const payload = await seal(await keyOf(key), plaintext, bytes(iv))
    expect(JSON.parse(payload)).toEqual({ data, hmac, iv })
    expect(await open(await keyOf(key), payload)).toBe(plaintext)
  }
})

test('protocol 4: a complete frame of the public page library is decrypted', async () => {
  const frame = parseFrame(reference.frame.text)
  expect(frame).toMatchObject({ type: 'pub', silent: true })
  const key = await keyOf(reference.frame.key)
  expect(await open(key, frame?.payload ?? '')).toBe(reference.frame.plaintext)
})

test('protocol 4: peers may send upper-case hex', async () => {
  const { key, iv, data, hmac, plaintext } = ONE ?? expect.fail()
  const upper = { data: data.toUpperCase(), hmac: hmac.toUpperCase(), iv: iv.toUpperCase() }
  expect(await open(await keyOf(key), JSON.stringify(upper))).toBe(plaintext)
})

test('protocol 4: the iv is fresh for every message', async () => {
  const key = await keyOf('11'.repeat(32))
  expect(await seal(key, 'same')).not.toBe(await seal(key, 'same'))
})

test('protocol 4: any text round-trips, and one changed bit or another key fails', async () => {
  const [key, other] = [await keyOf('11'.repeat(32)), await keyOf('12'.repeat(32))]
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.nat(), async (text, place) => {
      const payload = await seal(key, text)
      expect(await open(key, payload)).toBe(text)
      expect(await open(other, payload)).toBeUndefined()
      const hexDigits = [...payload.matchAll(/(?<=":"[0-9a-f]*)[0-9a-f]/g)].map(
        ({ index }) => index,
      )
      const at = hexDigits[place % hexDigits.length] ?? 0
      const changed = payload[at] === '0' ? '1' : '0'
      const tampered = payload.slice(0, at) + changed + payload.slice(at + 1)
      expect(await open(key, tampered)).toBeUndefined()
    }),
    { numRuns: 60 },
  )
})

test('protocol 4: payloads that cannot be decrypted give undefined', async () => {
  const key = await keyOf('11'.repeat(32))
  const field = fc.oneof(fc.string(), fc.nat(), fc.constant(null), fc.constant('00'.repeat(16)))
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.record({ data: field, hmac: field, iv: field }).map((fields) => JSON.stringify(fields)),
      ),
      async (payload) => {
        expect(await open(key, payload)).toBeUndefined()
      },
    ),
  )
})
