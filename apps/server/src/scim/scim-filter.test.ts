import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { InvalidFilter, parseFilter } from './scim-filter.ts'

test.each([
  ['userName eq "ada@lender.example"', [{ attribute: 'username', value: 'ada@lender.example' }]],
  ['USERNAME EQ "a"', [{ attribute: 'username', value: 'a' }]],
  ['active eq true', [{ attribute: 'active', value: true }]],
  ['active eq False', [{ attribute: 'active', value: false }]],
  ['displayName eq "a \\"b\\" and c"', [{ attribute: 'displayname', value: 'a "b" and c' }]],
  [
    'externalId eq "1" and active eq true',
    [
      { attribute: 'externalid', value: '1' },
      { attribute: 'active', value: true },
    ],
  ],
  [
    'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "a"',
    [{ attribute: 'username', value: 'a' }],
  ],
  [
    'emails[type eq "work"].value eq "a@b.example" and active eq true',
    [
      { attribute: 'emails.value', value: 'a@b.example' },
      { attribute: 'active', value: true },
    ],
  ],
  ['emails.value eq "a@b.example"', [{ attribute: 'emails.value', value: 'a@b.example' }]],
  ...[
    'emails[type eq "Work"].value eq "a@b.example"',
    'emails[ type eq "work" and primary eq true ].value eq "a@b.example"',
    'emails[primary eq "true"].value eq "a@b.example"',
    'emails[value eq "a@b.example"]',
    'emails[type eq "work" and value eq "a@b.example"]',
    'emails[value eq "a@b.example" and type eq "work"]',
    'urn:ietf:params:scim:schemas:core:2.0:User:emails[type eq "work"].value eq "a@b.example"',
  ].map((text): [string, object[]] => [
    text,
    [{ attribute: 'emails.value', value: 'a@b.example' }],
  ]),
  [
    'urn:ietf:params:scim:schemas:extension:acme:2.0:User:active eq true',
    [{ attribute: 'urn:ietf:params:scim:schemas:extension:acme:2.0:user:active', value: true }],
  ],
])('RFC 7644 3.4.2.2: %s', (text, comparisons) => {
  expect(parseFilter(text, 'User')).toEqual(comparisons)
})

test.each([
  '',
  'userName',
  'userName eq',
  'userName eq ada',
  'userName co "a"',
  'userName eq "a" or active eq true',
  '(userName eq "a")',
  'userName eq "a" and',
  'userName eq "a" and ',
  'userName eq "a"active eq true',
  'userName eq "a\nb"',
  'emails[type eq "work"] eq "a"',
  'emails[type eq "home"].value eq "a"',
  'emails[type eq "work" or value eq "a"]',
  'userName eq "\\u0000"',
  `userName eq "${'a'.repeat(2000)}"`,
])('an unsupported filter is refused: %j', (text) => {
  expect(() => parseFilter(text, 'User')).toThrow(InvalidFilter)
})

test('any text is either a filter or refused, and values are read unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      try {
        parseFilter(text, 'User')
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidFilter)
      }
    }),
  )
  fc.assert(
    fc.property(fc.string({ maxLength: 100 }), (value) => {
      expect(parseFilter(`userName eq ${JSON.stringify(value)}`, 'User')).toEqual([
        { attribute: 'username', value },
      ])
    }),
  )
})
