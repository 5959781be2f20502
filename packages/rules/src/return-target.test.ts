import { expect, test } from 'vitest'
import { returnTarget } from './return-target.ts'

test.each([
  ['https://lender.example/auth/wallet?a=1', '/auth/wallet?a=1'],
  ['/loans', '/loans'],
  ['https://lender.example.evil.example/loans', '/dashboard'],
  ['https://evil.example/loans', '/dashboard'],
  ['https://lender.example//evil.example', '/dashboard'],
  [null, '/dashboard'],
])('2.2 5 the page after a conversion: %s leads to %s', (wanted, target) => {
  expect(returnTarget(wanted, 'https://lender.example')).toBe(target)
})
