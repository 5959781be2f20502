import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasInvisibleCharacters, plainDigits, plainLine } from './characters.ts'
import { emailAddress } from './email-address.ts'
import { escapeInvisible } from './invisible-characters.ts'
import { Passcode } from './passcode.ts'

const EDGES = [
  '',
  ' ',
  '\u00a0',
  '\u3000',
  '\u200b',
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202c',
  '\u2066',
  '\ufeff',
  '\u2060',
]
const edge = fc.array(fc.constantFrom(...EDGES), { maxLength: 3 }).map((parts) => parts.join(''))

/** How people of each numbering system write the digits 0 to 9. */
const DIGITS = Intl.supportedValuesOf('numberingSystem').flatMap((numberingSystem) => {
  const format = new Intl.NumberFormat('en', { numberingSystem, useGrouping: false })
  const digits = Array.from({ length: 10 }, (_, value) => format.format(value))
  return digits.every((digit) => /^\p{Nd}$/u.test(digit)) ? [digits] : []
})

test('5 decimal digits of every script are read as 0 to 9', () => {
  expect(DIGITS.length).toBeGreaterThan(50)
  for (const digits of DIGITS) expect(plainDigits(digits.join(''))).toBe('0123456789')
})

test('5 a passcode in digits of any script, with spaces and hyphens, is read', () => {
  const code = fc.record({
    digits: fc.constantFrom(...DIGITS),
    values: fc.array(fc.nat(9), { minLength: 6, maxLength: 6 }),
    separator: fc.constantFrom('', ' ', '-', '\u2011', '\u00a0', '\u2013'),
    edge,
  })
  fc.assert(
    fc.property(code, ({ digits, values, separator, edge: around }) => {
      const text = values.map((value) => digits[value]).join(separator)
      expect(Passcode.parse(`${around}${text}${around}`)).toBe(values.join(''))
    }),
  )
})

test.each(['1234567', '12345', 'a1b2c3d4e5f6', ''])(
  '5 the API takes no passcode from %j',
  (text) => {
    expect(Passcode.safeParse(text).success).toBe(false)
  },
)

test.each([
  ['a Persian name with the non-joiner', 'مهسا\u200cسادات'],
  ['a conjunct of Devanagari', 'क्\u200dष'],
  ['an older Malayalam name that ends in the joiner', 'മോഹന്\u200d'],
  ['the Bengali joiner before a virama', 'র\u200d্যাব'],
])('8 %s is visible text, and stays as it is', (_, text) => {
  expect(hasInvisibleCharacters(text)).toBe(false)
  expect(plainLine(text)).toBe(text)
  expect(escapeInvisible(text)).toBe(text)
})

test.each([
  ['a Japanese name with its form of the character', '葛\u{e0100}城'],
  ['a picture', 'Savings ❤\ufe0f'],
])('8 %s has no invisible character', (_, text) => {
  expect(hasInvisibleCharacters(text)).toBe(false)
})

test.each([
  'pay\u200cpal',
  'pay\u200dpal',
  'а\u200cб',
  '\u200cमन',
  '१\u200d२',
  'admin\u202e',
  'د\u200ca',
  'م\u200dس',
  'क\u200dष',
  'क\u200cष',
  'an\u034fn',
  'ann\ufe0f',
  '\u3164',
  'an\u115fn',
  '1\ufe0f2',
])('8 %j has an invisible character that its spelling does not need', (text) => {
  expect(hasInvisibleCharacters(text)).toBe(true)
})

test('8 two spellings of one line are one text: composition, spaces and invisible edges', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), edge, (text, around) => {
      const line = plainLine(text)
      expect(plainLine(line)).toBe(line)
      expect(plainLine(`${around}${text}${around}`)).toBe(line)
      expect(plainLine(text.normalize('NFD'))).toBe(line)
    }),
  )
  expect(plainLine('\u202dAnn\u00a0Lee\u202c')).toBe('Ann Lee')
})

test('8 letters of different scripts that look alike stay different texts', () => {
  expect(plainLine('раypal')).not.toBe(plainLine('paypal'))
  expect(emailAddress('ann@раypal.example')).not.toBe(emailAddress('ann@paypal.example'))
})

test.each([
  ['ann@डाटा.भारत', 'ann@xn--c2bd1gb.xn--h2brj9c'],
  ['ann@people.example\u200b', 'ann@people.example'],
  ['\u202aann@people.example\u202c', 'ann@people.example'],
  ['ａｎｎ＠people。example', 'ann@people.example'],
  ['ann@bu\u0308cher.example', 'ann@xn--bcher-kva.example'],
  ['ann@faß.example', 'ann@xn--fa-hia.example'],
])('5 the address %j is stored as %s', (text, stored) => {
  expect(emailAddress(text)).toBe(stored)
})

test.each([
  'ann@peo\u200bple.example\u0000',
  'an\u200bn@people.example',
  'an\u034fn@people.example',
  'ann\ufe0f@people.example',
  'ann\u3164@people.example',
  'ann\u17b4@people.example',
  'म\u200dन@people.example',
  `${'é'.repeat(33)}@people.example`,
  'ann@a\u200cb.example',
  'ann@127.0.0.1',
  'ann@0x7f.1',
  'ann@people.example/x',
  'ann@people.example:80',
  'ann@user@people.example',
  'ann@%70eople.example',
  '.ann@people.example',
  'a..n@people.example',
  `${'a'.repeat(65)}@people.example`,
  `ann@${'a'.repeat(64)}.example`,
])('5 %j is not an e-mail address', (text) => {
  expect(emailAddress(text)).toBeUndefined()
})

test('5 every spelling of an address is one address, and a stored address is found by itself', () => {
  const local = fc.stringMatching(/^[a-z0-9+_-]{1,20}$/)
  const label = fc.stringMatching(/^[a-zäöüßéабвмनकम]{1,12}$/)
  fc.assert(
    fc.property(local, label, edge, (name, domain, around) => {
      const address = `${name}@${domain}.example`
      const stored = emailAddress(address)
      if (stored === undefined) return
      expect(emailAddress(stored)).toBe(stored)
      expect(emailAddress(address.normalize('NFD'))).toBe(stored)
      expect(emailAddress(`${around}${address.replace('@', '＠')}${around}`)).toBe(stored)
    }),
  )
})

test('5 any text that is an address is one address in all its forms, and has no invisible character', () => {
  const local = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))
  const address = fc.tuple(local, fc.constantFrom('people.example', 'डाटा.भारत', 'faß.example'))
  fc.assert(
    fc.property(address, ([name, domain]) => {
      const stored = emailAddress(`${name}@${domain}`)
      if (stored === undefined) return
      expect(emailAddress(stored)).toBe(stored)
      expect(hasInvisibleCharacters(stored)).toBe(false)
    }),
    { numRuns: 1000 },
  )
})

test('8 a long text of spaces is trimmed in linear time', () => {
  const spaces = ' '.repeat(200_000)
  expect(plainLine(`a${spaces}b${spaces}`)).toBe(`a${spaces}b`)
})
