import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { decryptPart, encryptPart, newFileKey } from './file-cipher.ts'

const KEY = newFileKey()
const PART = { fileId: 'file', part: 'a1', offset: 262_144, bytes: 300_000 }
const CONTENT = randomBytes(1000)
/** Node's error for a wrong authentication tag. */
const REFUSED = /authenticate|tag length/

test('a part decrypts with its key, and is stored unreadable', () => {
  const stored = encryptPart(KEY, PART, CONTENT)
  expect(Buffer.from(stored).includes(CONTENT.subarray(0, 16))).toBe(false)
  expect(Buffer.from(decryptPart(KEY, PART, stored))).toEqual(CONTENT)
  expect(encryptPart(KEY, PART, CONTENT)).not.toEqual(stored)
})

test('parts that were tampered with, truncated, swapped or moved do not decrypt', () => {
  const stored = encryptPart(KEY, PART, CONTENT)
  for (const at of [0, 12, 28, stored.length - 1]) {
    const changed = Uint8Array.from(stored)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => decryptPart(KEY, PART, changed)).toThrow(REFUSED)
  }
  expect(() => decryptPart(KEY, PART, stored.subarray(0, -1))).toThrow(REFUSED)
  expect(() => decryptPart(KEY, PART, stored.subarray(0, 5))).toThrow(REFUSED)
  expect(() => decryptPart(newFileKey(), PART, stored)).toThrow(REFUSED)
  for (const other of [{ fileId: 'other' }, { part: 'b2' }, { offset: 0 }, { bytes: 262_144 }]) {
    expect(() => decryptPart(KEY, { ...PART, ...other }, stored)).toThrow(REFUSED)
  }
})
