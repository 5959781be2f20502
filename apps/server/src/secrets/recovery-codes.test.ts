import { expect, test } from 'vitest'
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts'

test('4.5 ten different codes of 120 bits are generated, in groups of four characters', () => {
  const codes = newRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes)
    expect(code).toMatch(/^(?:[0-9a-hjkmnp-tv-z]{4}-){5}[0-9a-hjkmnp-tv-z]{4}$/)
})

test('4.5 spelling variants of a code have the same hash, another identity has another hash', () => {
  const hash = recoveryCodeHash('owner', '0a1b-2c3d-4e5f-6g7h')
  for (const variant of [
    '0A1B2C3D4E5F6G7H',
    ' oalb 2c3d 4e5f 6g7h',
    '0aIb.2c3d.4e5f.6g7h',
    '０Ａ１Ｂ‑2c3d–4e5f‑6g7h\u200b',
    'Recovery code 3: 0a1b-2c3d-4e5f-6g7h',
  ]) {
    expect(recoveryCodeHash('owner', variant)).toBe(hash)
  }
  expect(recoveryCodeHash('other', '0a1b-2c3d-4e5f-6g7h')).not.toBe(hash)
})
