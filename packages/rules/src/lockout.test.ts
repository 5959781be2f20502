import {
  ATTEMPT_WINDOW_MS,
  ATTEMPTS_PER_ADDRESS_AND_HOUR,
  ATTEMPTS_PER_HOUR,
} from '@portico/contracts/limits'
import { expect, test } from 'vitest'
import { lockoutMs, passphraseWaitMs } from './lockout.ts'

const MINUTE_MS = 60_000

test.each([
  [1, 0],
  [9, 0],
  [10, 1],
  [11, 2],
  [12, 4],
  [15, 32],
  [16, 60],
  [1000, 60],
])('8 attempt %d of ten allowed locks out for %d minutes', (attempt, minutes) => {
  expect(lockoutMs(attempt, 10)).toBe(minutes * MINUTE_MS)
})

test('8 a network that attempts whenever it may cannot exhaust the attempts of an address in any hour', () => {
  const times: number[] = []
  for (let at = 0, startedAt = 0, count = 0; at < 10 * ATTEMPT_WINDOW_MS; ) {
    if (at >= startedAt + ATTEMPT_WINDOW_MS) [startedAt, count] = [at, 0]
    times.push(at)
    count += 1
    at += Math.max(1, lockoutMs(count, ATTEMPTS_PER_HOUR))
  }
  const inHourFrom = times.map(
    (from) => times.filter((at) => at >= from && at < from + ATTEMPT_WINDOW_MS).length,
  )
  expect(Math.max(...inHourFrom)).toBeLessThan(ATTEMPTS_PER_ADDRESS_AND_HOUR)
})

test.each([
  [0, 0],
  [4, 0],
  [5, 30],
  [6, 60],
  [11, 1920],
  [12, 3600],
  [1_000_000, 3600],
])('after %d wrong passphrases a wallet on the device waits %d seconds', (wrong, seconds) => {
  expect(passphraseWaitMs(wrong)).toBe(seconds * 1000)
})
