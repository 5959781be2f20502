import { expect, test } from 'vitest'
import { CLOCK_SKEW_MS, clockJumps, isLive, isRecent } from './clock.ts'

const NOW = 1_800_000_000_000
const YEAR_MS = 365 * 24 * 60 * 60 * 1000

test.each([
  ['just started', NOW + 1000, true],
  ['is about to end', NOW + 1, true],
  ['has ended', NOW, false],
  ['was started by a node with a clock slightly ahead', NOW + 1000 + CLOCK_SKEW_MS, true],
  ['was started by a wrong clock', NOW + 1000 + CLOCK_SKEW_MS + 1, false],
  ['was started a year ahead', NOW + YEAR_MS, false],
])('something that lasts a second and %s', (_, expiresAt, live) => {
  expect(isLive(expiresAt, 1000, NOW)).toBe(live)
})

test.each([
  ['now', NOW, true],
  ['a second ago', NOW - 1000, true],
  ['longer ago', NOW - 1001, false],
  ['a moment ahead', NOW + CLOCK_SKEW_MS, true],
  ['a year ahead', NOW + YEAR_MS, false],
])('whether an event happened within the last second: %s', (_, at, recent) => {
  expect(isRecent(at, 1000, NOW)).toBe(recent)
})

test('setting the clock in either direction is detected once', () => {
  let ahead = 0
  const jumped = clockJumps(() => performance.now() + ahead)
  expect(jumped()).toBe(false)
  ahead = YEAR_MS
  expect([jumped(), jumped()]).toEqual([true, false])
  ahead = 0
  expect([jumped(), jumped()]).toEqual([true, false])
})
