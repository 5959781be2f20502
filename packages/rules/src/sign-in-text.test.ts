import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSamePage, isSignInText, otherSiteIn, signsInElsewhere } from './sign-in-text.ts'
import { spellingsOf } from './testing.ts'

const PAGE = 'https://site.example'
const OURS = 'Sign in to https://lender.example with this wallet: 0d3c'
const ETHEREUM = 'lender.example wants you to sign in with your Ethereum account:\n0xabc'

const bytesOf = (text: string) => new TextEncoder().encode(text)

test.each([
  ['Sign in to https://lender.example with this wallet: 0d3c', true],
  ['sign in to HTTPS://LENDER.EXAMPLE with this wallet: 0d3c', true],
  ['Sign in to https://site.example.evil.example with this wallet: 0d3c', true],
  ['Sign in to http://site.example with this wallet: 0d3c', true],
  ['Sign in to https://site.example:8443 with this wallet: 0d3c', true],
  ['lender.example wants you to sign in with your Ethereum account:\n0xabc', true],
  ['Sign in to\nhttps://lender.example with this wallet: 0d3c', true],
  ['Sign  in\tto https://lender.example\r\nwith this wallet: 0d3c', true],
  ['Hello\n\n  Sign in to https://lender.example with this wallet: 0d3c', true],
  ['\nlender.example wants you to sign in with your Ethereum account:\n0xabc', true],
  [
    'site.example wants you to sign in with your account:\nlender.example wants you to sign in with your account:',
    true,
  ],
  ['Sign in to https://site.example with this wallet: 0d3c', false],
  ['Sign in to https://www.site.example with this wallet: 0d3c', false],
  ['site.example wants you to sign in with your Provenance account:\ntp1', false],
  ['I agree to the terms of https://lender.example', false],
])('7.4 a text that signs in to another page is recognized: %s', (text, isElsewhere) => {
  expect(signsInElsewhere(bytesOf(text), PAGE)).toBe(isElsewhere)
})

test('7.4 a page without a known origin signs in nowhere', () => {
  for (const origin of ['null', '', 'This wallet']) {
    expect(signsInElsewhere(bytesOf(OURS), origin)).toBe(true)
  }
})

test('7.4 a text of another kind names other sites, and is no sign-in', () => {
  const text = 'I agree to https://site.example/terms and https://lender.example/privacy'
  expect(isSignInText(text)).toBe(false)
  expect(otherSiteIn(text, PAGE)).toBe('lender.example')
  expect(otherSiteIn('See https://site.example/terms', PAGE)).toBeUndefined()
  expect(isSamePage('site.example', PAGE)).toBe(true)
})

describe.each([OURS, ETHEREUM])('%j', (text) => {
  test.each(spellingsOf(text))(
    '7.4 a text that signs in to another page is recognized %s',
    (_, bytes) => {
      expect(signsInElsewhere(bytes, PAGE)).toBe(true)
    },
  )
})

test.each(spellingsOf(OURS))('7.4 the page itself may request its text %s', (_, bytes) => {
  expect(signsInElsewhere(bytes, 'https://lender.example')).toBe(false)
})

/** Bytes and characters that a lenient reader skips. No byte continues another one, because both would be a letter. */
const skipped = fc.oneof(
  fc.constantFrom(0xc0, 0xc3, 0xe2, 0xf0, 0xff).map((byte) => Uint8Array.of(byte)),
  fc
    .constantFrom('\0', '\u0007', '\u001b', '\u007f', '\u0085', '\u00ad', '\u034f', '\u200b')
    .map(bytesOf),
  fc.constantFrom('\u2060', '\u202e', '\u2066', '\ufe0f', '\ufeff', '\ufffd').map(bytesOf),
)

/** A text whose bytes are given one by one, so that others can stand between them. */
const lettersOf = (text: string) => Array.from(bytesOf(text), (byte) => Uint8Array.of(byte))

test('7.4 a text that signs in to another page is recognized with anything invisible in its words', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(OURS, ETHEREUM),
      fc.array(fc.tuple(fc.nat(), skipped), { maxLength: 20 }),
      (text, insertions) => {
        const parts = lettersOf(text)
        for (const [at, part] of insertions) parts.splice(at % (parts.length + 1), 0, part)
        const bytes = Uint8Array.from(parts.flatMap((part) => [...part]))
        expect(signsInElsewhere(bytes, PAGE)).toBe(true)
      },
    ),
  )
})

test('7.4 a text that signs in to another page is recognized between any other bytes', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(OURS, ETHEREUM),
      fc.uint8Array({ maxLength: 40 }),
      fc.uint8Array({ maxLength: 40 }),
      (text, before, after) => {
        const space = bytesOf(' ')
        const bytes = Uint8Array.of(...before, ...space, ...bytesOf(text), ...space, ...after)
        expect(signsInElsewhere(bytes, PAGE)).toBe(true)
      },
    ),
  )
})

test.each([
  'I was asked for “Sign in to https://site.example with this wallet”, and I agree.',
  'The text "site.example wants you to sign in with your account" is explained at https://lender.example',
  'I sign in to my account with a passkey. It is not the account of https://lender.example',
  'By signing I agree to sign in to Portico with two factors.',
  'I know that no page wants you to sign in with your recovery words.',
  'https://lender.example is where I sign in.',
  'Sign within 5 minutes. The design into https://lender.example without changes.',
  'deadbeef',
  'SGVsbG8',
  '',
])('7.4 a text that signs in nowhere else can be signed: %j', (text) => {
  expect(signsInElsewhere(bytesOf(text), PAGE)).toBe(false)
})

test('7.4 no other bytes are taken for a text that signs in', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      expect(signsInElsewhere(bytes, PAGE)).toBe(false)
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
      expect(signsInElsewhere(bytesOf(text), PAGE)).toBe(false)
    }),
  )
})
