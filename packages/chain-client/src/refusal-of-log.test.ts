import { sentencesOf } from '@portico/contracts/error-catalog'
import { Refusal } from '@portico/contracts/errors'
import { expect, test } from 'vitest'
import { explainedRefusal, refusalOfLog } from './refusal-of-log.ts'

test.each([
  ['spendable balance 5nhash is smaller than 9nhash: insufficient funds', 'insufficient-funds'],
  ['account tp1abc not found: key not found', 'insufficient-funds'],
  ['out of gas in location: messages; gasWanted: 5, gasUsed: 9: out of gas', 'fee-too-low'],
  ['insufficient fees; got: 1nhash required: 762000000nhash: insufficient fee', 'fee-too-low'],
  ['account sequence mismatch, expected 1, got 0: incorrect account sequence', 'sequence-mismatch'],
  ['voting period has ended already: expired', 'voting-ended'],
  ['proposal not open for voting: invalid value', 'voting-ended'],
  ['store vote: unique constraint violation', 'already-voted'],
  ['load proposal: not found', 'proposal-over'],
  [
    'not possible to exec with proposal status PROPOSAL_STATUS_REJECTED: invalid value',
    'proposal-over',
  ],
  [
    'cannot withdraw a proposal with the status of PROPOSAL_STATUS_ABORTED: invalid',
    'proposal-over',
  ],
  ['voter address: tp1abc: not found', 'not-a-member'],
  ['not in group: tp1abc: unauthorized', 'not-a-member'],
  ['unable to resolve type URL /cosmos.gov.v1.MsgVote: tx parse error', 'message-not-supported'],
])('8 %j becomes %s', (log, code) => {
  expect(refusalOfLog(`failed to execute message; message index: 0: ${log}`).code).toBe(code)
})

test('8 an unknown reason has our sentence, and the node’s text as its cause', () => {
  const refusal = refusalOfLog('memo too large')
  expect([refusal.code, refusal.cause]).toEqual(['transaction-refused', 'memo too large'])
  expect(sentencesOf(refusal)).toEqual(['The network did not accept the transaction.'])
})

test('8 only a refused transaction is explained', () => {
  const refused = new Refusal('transaction-refused', { errors: ['load proposal: not found'] })
  expect(explainedRefusal(refused)).toMatchObject({ code: 'proposal-over' })
  const unknown = new Refusal('transaction-refused', { errors: ['memo too large'] })
  expect(explainedRefusal(unknown)).toMatchObject({ code: 'transaction-refused', errors: [] })
  const offline = new Refusal('chain-not-available')
  expect(explainedRefusal(offline)).toBe(offline)
})
