import { expect, test } from 'vitest'
import { chainErrorText, walletErrorText } from './wallet-error.ts'

const isKnown = (message: string) => message === 'Request timed out'

test.each([
  ['Error: Request timed out', 'Request timed out'],
  [
    'spendable balance 5nhash is smaller than 9nhash: insufficient funds',
    'The account does not have enough funds for the amount and the fee.',
  ],
  ['Call 555-0100 to\n\nget it back', 'Your wallet says: ‘Call 555-0100 to get it back’'],
  ['x'.repeat(5000), `Your wallet says: ‘${'x'.repeat(120)}…’`],
  ['\u202Eevil', 'Your wallet says: ‘\\u{202e}evil’'],
  ['Error: ', undefined],
  [undefined, undefined],
])('8 a wallet’s error %j is shown in plain words, or cut and quoted', (error, text) => {
  expect(walletErrorText(error, isKnown)).toBe(text)
})

test('8 a chain’s error is shown in plain words, or cut and quoted', () => {
  expect(chainErrorText('failed: out of gas')).toBe('The network’s reason: ‘failed: out of gas’')
  expect(chainErrorText('insufficient fee')).toMatch(/fee is too low/)
  expect(chainErrorText('')).toBeUndefined()
})
