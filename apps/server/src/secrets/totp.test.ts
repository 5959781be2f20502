import { expect, test } from 'vitest'
import { newTotpSecret, totpStep, totpUri } from './totp.ts'

/** The secret and codes of RFC 6238, appendix B; applications show the last six digits. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
])('4.5 RFC 6238 vector: at %d seconds the code is %s', (seconds, code) => {
  expect(totpStep(SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30))
})

test('4.5 a code from one step before or after is accepted and returns its own step', () => {
  const [at, code, step] = [1234567890_000, '005924', 41152263]
  for (const off of [-30_000, 0, 30_000]) {
    expect(totpStep(SECRET, code, at + off)).toBe(step)
  }
  for (const off of [-60_000, 60_000]) expect(totpStep(SECRET, code, at + off)).toBeUndefined()
})

test('4.5 malformed codes are rejected without throwing', () => {
  for (const code of ['', '12345', '1234567', 'abcdef', '00592４']) {
    expect(totpStep(SECRET, code, 1234567890_000)).toBeUndefined()
  }
})

test('4.5 a new secret has 160 bits, and its URI names the company and the user', () => {
  const secret = newTotpSecret()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(newTotpSecret()).not.toBe(secret)
  const uri = new URL(totpUri({ secret, issuer: 'Cedar & Point', email: 'a+b@people.example' }))
  expect([uri.protocol, uri.host]).toEqual(['otpauth:', 'totp'])
  expect(decodeURIComponent(uri.pathname)).toBe('/Cedar & Point:a+b@people.example')
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({
    secret,
    issuer: 'Cedar & Point',
    digits: '6',
    period: '30',
  })
})

test('4.5 the label of an authenticator code has one colon, which ends the issuer', () => {
  for (const [issuer, label] of [
    ['Smith: Sons', 'Smith - Sons'],
    ['Smith：Sons:', 'Smith - Sons -'],
    ['Harborline', 'Harborline'],
  ] as const) {
    const uri = new URL(totpUri({ secret: SECRET, issuer, email: 'ann@people.example' }))
    expect(decodeURIComponent(uri.pathname)).toMatch(new RegExp(`${label}:ann@people\\.example$`))
    expect(uri.searchParams.get('issuer')).toBe(label)
  }
})
