import { expect, test } from 'vitest'
import { refusalOfLog } from './refusal-of-log.ts'

test.each([
  ['spendable balance 5nhash is smaller than 9nhash: insufficient funds', 'insufficient-funds'],
  ['insufficient fees; got: 1nhash required: 762000000nhash: insufficient fee', 'fee-too-low'],
  ['account sequence mismatch, expected 1, got 0: incorrect account sequence', 'sequence-mismatch'],
  ['voting period has ended already: expired', 'voting-ended'],
  ['proposal not open for voting: invalid value', 'voting-ended'],
])('8 %j becomes %s', (log, code) => {
  expect(refusalOfLog(`failed to execute message; message index: 0: ${log}`).code).toBe(code)
})

test('8 a reason that is not known is shown as it is', () => {
  const { code, errors } = refusalOfLog('memo too large')
  expect([code, errors]).toEqual(['transaction-refused', ['memo too large']])
  expect(refusalOfLog('').errors).toEqual(['The network did not accept the transaction.'])
})
