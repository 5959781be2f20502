import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { BrandLink } from './organization.ts'

const OWN = 'https://own.example'

test.each(['/terms', '/legal/terms?a=b#c', 'https://www.lender.example/terms'])(
  '9 a link in brand data may be %s',
  (link) => {
    expect(BrandLink.safeParse(link).success).toBe(true)
  },
)

test.each([
  'https://user@evil.example/',
  'https://:secret@evil.example/',
  '//evil.example',
  'terms',
])('9 a link in brand data may not be %s', (link) => {
  expect(BrandLink.safeParse(link).success).toBe(false)
})

test('9 any link in brand data that is accepted leads to a path of ours, or to https without a password', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '//',
    '.',
    ':',
    '@',
    '?',
    '#',
    '%2f',
    '\t',
    ' ',
    'a',
    'https:',
    'javascript:',
  )
  const link = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
  )
  const prefix = fc.constantFrom('', '/', 'https://', 'https://:', 'http://')
  fc.assert(
    fc.property(prefix, link, (start, rest) => {
      const text = start + rest
      if (!BrandLink.safeParse(text).success) return
      const { origin, protocol, username, password } = new URL(text, OWN)
      expect([protocol, username, password]).toEqual(['https:', '', ''])
      if (text.startsWith('/')) expect(origin).toBe(OWN)
    }),
    { numRuns: 500 },
  )
})
