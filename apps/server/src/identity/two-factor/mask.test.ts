import { expect, test } from 'vitest'
import { maskEmail, maskPhone } from './mask.ts'

test.each([
  ['olive.plain@portico.example', 'o•••@portico.example'],
  ['a@b.example', 'a•••@b.example'],
])('4.5 the address %s is shown as %s', (email, masked) => {
  expect(maskEmail(email)).toBe(masked)
})

test.each([
  ['+12015550142', '(•••) •••-0142'],
  ['+442079460958', '••• 0958'],
])('4.5 the phone %s is shown as %s', (phone, masked) => {
  expect(maskPhone(phone)).toBe(masked)
})
