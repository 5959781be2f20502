import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { passcodeText } from './passcode.ts'

test.each([
  ['', ''],
  ['12a3', '123'],
  ['123 456', '123456'],
  ['Your code is 123456.', '123456'],
  ['1234567', '123456'],
  ['１２３', ''],
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
