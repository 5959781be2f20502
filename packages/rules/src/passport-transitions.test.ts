import { PASSPORT_STATUSES, type PassportStatus } from '@portico/contracts/passport-status'
import { expect, test } from 'vitest'
import { statusGroup } from './gatekeeper.ts'
import {
  isOpenForAnswers,
  openDecisions,
  type PassportEvent,
  STATUSES_IN_REVIEW,
  statusAfter,
} from './passport-transitions.ts'

const EVENTS: readonly PassportEvent[] = ['started', 'submitted', 'approved', 'returned', 'denied']

const after = (status: PassportStatus, ...events: readonly PassportEvent[]) =>
  events.reduce<PassportStatus | undefined>(
    (current, event) => current && statusAfter(current, event),
    status,
  )

test.each<[readonly PassportEvent[], PassportStatus, PassportStatus]>([
  [['started'], 'UNKNOWN_STATUS', 'IN_PROGRESS'],
  [['started', 'submitted'], 'UNKNOWN_STATUS', 'PENDING'],
  [['started', 'submitted', 'approved'], 'UNKNOWN_STATUS', 'VALID'],
  [['started', 'submitted', 'returned', 'submitted'], 'UNKNOWN_STATUS', 'PENDING'],
  [['started', 'submitted', 'denied'], 'UNKNOWN_STATUS', 'DENIED'],
  [['started', 'submitted', 'started'], 'UNKNOWN_STATUS', 'IN_PROGRESS'],
  [['started'], 'DENIED', 'IN_PROGRESS'],
  [['started'], 'CANCELLED', 'IN_PROGRESS'],
  [['started', 'submitted'], 'VALID', 'VALID_PENDING'],
  [['started', 'submitted', 'returned'], 'VALID', 'VALID_IN_PROGRESS'],
  [['started', 'submitted', 'approved'], 'VALID', 'VALID'],
  [['started', 'submitted', 'approved'], 'VALID_NO_KYC', 'VALID_NO_KYC'],
])('4.9 %j leads from %s to %s', (events, from, to) => {
  expect(after(from, ...events)).toBe(to)
})

test('4.9 only submitted sections are decided, and only open ones are submitted', () => {
  for (const status of PASSPORT_STATUSES) {
    const isSubmitted = status.endsWith('PENDING')
    for (const event of ['approved', 'returned', 'denied'] as const) {
      expect(statusAfter(status, event) !== undefined).toBe(isSubmitted)
    }
    expect(isOpenForAnswers(status)).toBe(status.endsWith('IN_PROGRESS'))
    // Some event is always possible, so no one gets stuck.
    expect(EVENTS.some((event) => statusAfter(status, event) !== undefined)).toBe(true)
  }
})

test('4.9 a submitted or approved section is complete, an open one is in progress', () => {
  for (const status of ['UNKNOWN_STATUS', 'VALID', 'DENIED'] as const) {
    expect(statusGroup(after(status, 'started') ?? status)).toBe('in-progress')
    expect(statusGroup(after(status, 'started', 'submitted') ?? status)).toBe('complete')
  }
})

test('4.9 a status belongs to at most one review state, and only waiting sections can be decided', () => {
  const all = Object.values(STATUSES_IN_REVIEW).flat()
  expect(new Set(all).size).toBe(all.length)
  expect(STATUSES_IN_REVIEW.waiting).toEqual(['PENDING', 'VALID_PENDING', 'VALID_NO_KYC_PENDING'])
})

test('4.9 a decision is open until the section is submitted again', () => {
  const entry = (section: string, event: PassportEvent) => ({ section, event })
  const returned = entry('kyc', 'returned')
  const history = [entry('kyc', 'submitted'), entry('suitability', 'submitted'), returned]
  expect(openDecisions(history)).toEqual([returned])
  expect(openDecisions([...history, entry('kyc', 'submitted')])).toEqual([])
})
