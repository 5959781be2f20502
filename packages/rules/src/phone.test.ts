import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatPhone, normalizePhone, phoneLink } from './phone.ts'

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

test.each([
  ['2015550142', '+12015550142'],
  ['(201) 555-0142', '+12015550142'],
  ['1 201.555.0142', '+12015550142'],
  ['+1 201 555 0142', '+12015550142'],
  ['+44 20 7946 0958', '+442079460958'],
  [' +44 20 7946 0958 ', '+442079460958'],
  ['+44 (0)7700 900123', '+447700900123'],
  ['+44 07700 900123', '+447700900123'],
  ['0044 7700 900123', '+447700900123'],
  ['011 44 7700 900123', '+447700900123'],
  ['+39 06 698 12345', '+390669812345'],
  ['+49 (0)30/123456-78', '+493012345678'],
  ['+81 (0)3ー1234ー5678', '+81312345678'],
  ['＋８１　３－１２３４－５６７８', '+81312345678'],
  ['+٩٦٦ ٥٠ ١٢٣ ٤٥٦٧', '+966501234567'],
  ['(201)\u2011555\u20110123', '+12015550123'],
  ['\u202d201 555 0123\u202c', '+12015550123'],
  ['tel:+1-201-555-0123', '+12015550123'],
  ['+7 (912) 345-67-89', '+79123456789'],
  ['+33 (0)6.12.34.56.78', '+33612345678'],
])('5 the phone number %s is normalized to %s', (text, number) => {
  expect(normalizePhone(text)).toBe(number)
})

test.each(['', '12', '911', '+', '+1 101 555 0142', '1015550142', '2010550142', '+0123456789'])(
  '5 %s is not a phone number',
  (text) => {
    expect(normalizePhone(text)).toBeUndefined()
  },
)

test.each([
  '201555014२',
  '2015550142;ext=1',
  'tel:2015550142',
  `+44${'1'.repeat(20)}`,
  '20+15550142',
])('5 %s is rejected, not repaired', (text) => {
  expect(normalizePhone(text)).toBeUndefined()
})
