import { unsignedJwt } from '@portico/keys/jwt'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readableText, tokenToSign } from './describe-bytes.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('bytes are shown as text if all of it is displayable', () => {
  for (const text of ['Sign in to Portico', 'Grüße\nzweite Zeile', '金額 5']) {
    expect(readableText(bytes(text))).toBe(text)
  }
})

test('invisible characters, bidirectional controls and invalid UTF-8 are not shown as text', () => {
  for (const hidden of [
    '',
    '\u0000',
    'a\u202Eb',
    'a\u200Bb',
    'a\u00A0b',
    'a\rb',
    '\u001B[2J',
    '\uFEFFa',
  ]) {
    expect(readableText(bytes(hidden)), JSON.stringify(hidden)).toBeUndefined()
  }
  expect(readableText(Uint8Array.of(0xff, 0xfe))).toBeUndefined()
  fc.assert(fc.property(fc.uint8Array(), (any) => void readableText(any)))
})

test('protocol 9.2: header and payload of a token are recognized', () => {
  const claims = { sub: 'k', iss: 'i', iat: 1, exp: 2, addr: 'tp1' }
  expect(tokenToSign(bytes(unsignedJwt(claims)))).toEqual(claims)
  for (const text of ['a.b', 'hello', `${unsignedJwt(claims)}.c`])
    expect(tokenToSign(bytes(text)), text).toBeUndefined()
})
