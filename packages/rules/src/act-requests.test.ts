import type { ActRequestState } from '@portico/contracts/admin/act-requests'
import { expect, test } from 'vitest'
import { actRequestState, decisionRefusal } from './act-requests.ts'

const MINUTE_MS = 60_000

test.each<[ActRequestState, number, number | null, string]>([
  ['waiting', 100, null, 'waiting'],
  ['waiting', 10, null, 'expired'],
  ['waiting', 0, null, 'expired'],
  ['running', 0, 10, 'running'],
  ['running', 0, 10 - 5 * MINUTE_MS, 'interrupted'],
  ['interrupted', 0, 0, 'interrupted'],
  ['done', 0, 0, 'done'],
  ['failed', 0, 0, 'failed'],
  ['declined', 0, 0, 'declined'],
  ['withdrawn', 0, 0, 'withdrawn'],
])(
  '15 a request stored as %s that ends at %i, decided at %s, is %s at 10',
  (state, expiresAt, decidedAt, shown) => {
    expect(actRequestState({ state, expiresAt, decidedAt }, 10)).toBe(shown)
  },
)

test('15 only another person can decide a request: not the requester, the creator of the requesting token, or a token', () => {
  const byPerson = { requestedBy: 'ada', requesterPerson: 'ada' }
  const byToken = { requestedBy: 'crm-token', requesterPerson: 'ada' }
  for (const request of [byPerson, byToken]) {
    expect(decisionRefusal(request, { kind: 'person', id: 'ada' })).toBe('own-request')
    expect(decisionRefusal(request, { kind: 'person', id: 'bo' })).toBeUndefined()
    expect(decisionRefusal(request, { kind: 'token', id: 'other-token' })).toBe('not-permitted')
  }
})
