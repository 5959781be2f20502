import { expect, test } from 'vitest'
import { CLOCK_SKEW_MS, clockJumps, isLive, isRecent } from './clock.ts'

const NOW = 1_800_000_000_000
const YEAR_MS = 365 * 24 * 60 * 60 * 1000

test.each([
  ['just began', NOW + 1000, true],
  ['is about to end', NOW + 1, true],
  ['has ended', NOW, false],
  ['was begun by a node whose clock is a little ahead', NOW + 1000 + CLOCK_SKEW_MS, true],
  ['was begun by a clock that was wrong', NOW + 1000 + CLOCK_SKEW_MS + 1, false],
  ['was begun a year ahead', NOW + YEAR_MS, false],
])('of what lasts a second, what %s', (_, expiresAt, live) => {
  expect(isLive(expiresAt, 1000, NOW)).toBe(live)
})

test.each([
  ['now', NOW, true],
  ['a second ago', NOW - 1000, true],
  ['longer ago', NOW - 1001, false],
  ['a moment ahead', NOW + CLOCK_SKEW_MS, true],
  ['a year ahead', NOW + YEAR_MS, false],
])('what happened %s within the last second', (_, at, recent) => {
  expect(isRecent(at, 1000, NOW)).toBe(recent)
})

test('a clock that was set is noticed once, whichever way', () => {
  let ahead = 0
  const jumped = clockJumps(() => performance.now() + ahead)
  expect(jumped()).toBe(false)
  ahead = YEAR_MS
  expect([jumped(), jumped()]).toEqual([true, false])
  ahead = 0
  expect([jumped(), jumped()]).toEqual([true, false])
})
