import { expect, test } from 'vitest'
import { chainErrorText, proposalErrorText, walletErrorText } from './wallet-error.ts'

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

test('8 a chain’s error is shown in plain words, and its own words are not', () => {
  for (const text of [chainErrorText, proposalErrorText]) {
    expect(text('execute wasm contract failed: call 555-0100')).toBe(
      'The network gave a technical reason. If it happens again, contact support.',
    )
    expect(text('insufficient fee')).toMatch(/fee is too low/)
  }
  const log = 'spendable balance 5nhash is smaller than 9nhash: insufficient funds'
  expect(proposalErrorText(log)).toBe('The group does not have enough funds for this.')
})
