import { expect, test } from 'vitest'
import { phoneNumber } from './phone-number.ts'

test.each([
  ['2015550142', '+12015550142'],
  ['(201) 555-0142', '+12015550142'],
  ['1 201.555.0142', '+12015550142'],
  ['+1 201 555 0142', '+12015550142'],
  ['+44 20 7946 0958', '+442079460958'],
  [' +44 20 7946 0958 ', '+442079460958'],
])('5 the phone number %s is normalized to %s', (text, number) => {
  expect(phoneNumber(text)).toBe(number)
})

test.each(['', '12', '911', '+', '+1 101 555 0142', '1015550142', '2010550142', '+0123456789'])(
  '5 %s is not a phone number',
  (text) => {
    expect(phoneNumber(text)).toBeUndefined()
  },
)

test.each([
  '201555014२',
  '2015550142;ext=1',
  'tel:2015550142',
  `+44${'1'.repeat(20)}`,
  '20+15550142',
])('5 %s is rejected, not repaired', (text) => {
  expect(phoneNumber(text)).toBeUndefined()
})
