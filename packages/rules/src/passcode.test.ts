import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { passcodeText } from './passcode.ts'

test.each([
  ['', ''],
  ['12a3', '123'],
  ['123 456', '123456'],
  ['Your code is 123456.', '123456'],
  ['1234567', '123456'],
  ['１２３', '123'],
  ['2FA code: 123456', '123456'],
  ['G-123456', '123456'],
  ['123456 expires in 10 minutes', '123456'],
  ['Your code, valid until 10:30: 123-456', '123456'],
  ['1 2 3 4 5 6', '123456'],
  ['۱۲۳۴۵۶', '123456'],
  ['１２３ ４５６\u200b', '123456'],
])('5 passcode fields accept only digits, six at most: %j becomes %j', (typed, filtered) => {
  expect(passcodeText(typed)).toBe(filtered)
})

test('5 at most six digits of any pasted text are kept, and filtering is idempotent', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (typed) => {
      const filtered = passcodeText(typed)
      expect(filtered).toMatch(/^[0-9]{0,6}$/)
      expect(passcodeText(filtered)).toBe(filtered)
    }),
  )
})
