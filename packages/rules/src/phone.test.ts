import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatPhone, phoneLink } from './phone.ts'

test.each([
  ['8005550142', '(800) 555-0142'],
  ['+18005550142', '(800) 555-0142'],
  ['18005550142', '(800) 555-0142'],
  ['800-555-0142', '(800) 555-0142'],
  ['+1 (800) 555.0142', '(800) 555-0142'],
  ['555-0142', '555-0142'],
  ['+442071838750', '+442071838750'],
  ['+4930123456', '+4930123456'],
  ['', ''],
])('5 phone formatting: %j becomes %j', (phone, formatted) => {
  expect(formatPhone(phone)).toBe(formatted)
})

test.each([
  ['8005550142', 'tel:+18005550142'],
  ['(800) 555-0142', 'tel:+18005550142'],
  ['+18005550142', 'tel:+18005550142'],
  ['+442071838750', 'tel:+442071838750'],
  ['+4930123456', 'tel:+4930123456'],
])('8 a phone link: %j becomes %j', (phone, link) => {
  expect(phoneLink(phone)).toBe(link)
})

test('5 10 digits become (xxx) xxx-xxxx, and that form is unchanged', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[2-9][0-9]{9}$/), (digits) => {
      const formatted = formatPhone(digits)
      expect(formatted).toMatch(/^\([0-9]{3}\) [0-9]{3}-[0-9]{4}$/)
      expect(formatted.replace(/\D/g, '')).toBe(digits)
      expect(formatPhone(formatted)).toBe(formatted)
      expect(formatPhone(`+1${digits}`)).toBe(formatted)
    }),
  )
})
