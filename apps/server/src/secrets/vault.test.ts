import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ConfigError } from '../config-error.ts'
import { generatedMasterKeys, vault } from './vault.ts'

/** Node's errors for tampered ciphertext, and ours for an unknown key. */
const UNWRAP_ERROR = /authenticat|initialization vector|MASTER_KEY lacks/i

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')

test('4 a wrapped text unwraps unchanged and does not reveal its content', () => {
  const { wrap, unwrap } = vault([key(1)])
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 12 }), (text) => {
      const wrapped = wrap('message', text)
      expect(unwrap('message', wrapped)).toBe(Buffer.from(text).toString())
      expect(wrapped).toMatch(/^[\w.-]+$/)
      expect(wrapped.includes(text)).toBe(false)
    }),
  )
  expect(wrap('message', 'same')).not.toBe(wrap('message', 'same'))
})

test('4 a wrapped text unwraps only for its own purpose', () => {
  const { wrap, unwrap } = vault([key(1)])
  expect(() => unwrap('signing key', wrap('message', 'text'))).toThrow(UNWRAP_ERROR)
})

test('4 a wrapped text with one changed character does not unwrap', () => {
  const { wrap, unwrap } = vault([key(1)])
  const wrapped = wrap('message', 'a secret text')
  const bytesOf = (text: string) => text.split('.').map((part) => Buffer.from(part, 'base64url'))
  fc.assert(
    fc.property(
      fc.nat({ max: wrapped.length - 1 }),
      fc.constantFrom('A', 'b', '0', '-', '.'),
      (at, put) => {
        const changed = wrapped.slice(0, at) + put + wrapped.slice(at + 1)
        const same =
          changed.split('.').length === 4 &&
          changed.split('.')[0] === wrapped.split('.')[0] &&
          Buffer.concat(bytesOf(changed)).equals(Buffer.concat(bytesOf(wrapped)))
        if (!same) expect(() => unwrap('message', changed)).toThrow(UNWRAP_ERROR)
      },
    ),
  )
})

test('4 a shortened authentication tag is rejected', () => {
  const { wrap, unwrap } = vault([key(1)])
  const [id, iv, tag = '', sealed] = wrap('message', 'text').split('.')
  for (const length of [4, 8, 12, 15]) {
    const short = Buffer.from(tag, 'base64url').subarray(0, length).toString('base64url')
    expect(() => unwrap('message', [id, iv, short, sealed].join('.'))).toThrow(UNWRAP_ERROR)
  }
})

test('4 keys rotate: the first wraps, all unwrap, and a missing key is named', () => {
  const old = vault([key(1)])
  const both = vault([key(2), key(1)])
  const fresh = vault([key(2)])
  expect(both.unwrap('message', old.wrap('message', 'old text'))).toBe('old text')
  expect(fresh.unwrap('message', both.wrap('message', 'new text'))).toBe('new text')
  expect(() => fresh.unwrap('message', old.wrap('message', 'old text'))).toThrow(ConfigError)
  expect(() => vault([])).toThrow('MASTER_KEY is empty')
})

test('4 keyed hashes differ by purpose, text and key', () => {
  const { mac } = vault([key(1)])
  expect(mac('passcode', 'x')).toBe(mac('passcode', 'x'))
  const others = [mac('guess key', 'x'), mac('passcode', 'y'), vault([key(2)]).mac('passcode', 'x')]
  expect(new Set([mac('passcode', 'x'), ...others]).size).toBe(4)
})

test('4 a master key is generated once, written atomically and readable only by its owner', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-vault-'))
  try {
    const data = join(folder, 'data')
    const [generated = ''] = generatedMasterKeys(data)
    expect(Buffer.from(generated, 'base64')).toHaveLength(32)
    expect(generatedMasterKeys(data)).toEqual([generated])
    expect(readdirSync(data)).toEqual(['master.key'])
    expect(statSync(join(data, 'master.key')).mode & 0o077).toBe(0)

    writeFileSync(join(data, 'master.key'), generated.slice(0, 20))
    expect(() => generatedMasterKeys(data)).toThrow('does not hold 32 bytes in base64')
    expect(readFileSync(join(data, 'master.key'), 'utf8')).toBe(generated.slice(0, 20))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
