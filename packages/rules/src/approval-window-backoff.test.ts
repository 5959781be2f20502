import { MAX_APPROVAL_WINDOW_WAIT_MS } from '@portico/contracts/limits'
import { expect, test } from 'vitest'
import { approvalWindowWaitMs, nextOpening, type WindowOpening } from './approval-window-backoff.ts'

const HOUR_MS = 60 * 60 * 1000

test.each([
  [1, 1],
  [2, 1],
  [3, 30],
  [4, 60],
  [5, 120],
  [9, 1920],
  [10, 3600],
  [1000, 3600],
])(
  '2.6 after %i openings without an approval, the window stays closed for %i s',
  (count, seconds) => {
    expect(approvalWindowWaitMs(count)).toBe(seconds * 1000)
  },
)

test('2.6 a page that asks every second opens the window a few times in a day', () => {
  let last: WindowOpening | undefined
  let opened = 0
  for (let now = 0; now < 24 * HOUR_MS; now += 1000) {
    const next = nextOpening(last, now)
    if (next === undefined) continue
    last = next
    opened += 1
  }
  expect(opened).toBeLessThan(40)
})

test('2.6 a page that was quiet for long enough starts again, and so does a clock that was set back', () => {
  const last = { count: 20, at: 10 * HOUR_MS }
  expect(nextOpening(last, last.at + MAX_APPROVAL_WINDOW_WAIT_MS - 1)).toBeUndefined()
  expect(nextOpening(last, last.at + MAX_APPROVAL_WINDOW_WAIT_MS)).toMatchObject({ count: 21 })
  expect(nextOpening(last, last.at + 2 * MAX_APPROVAL_WINDOW_WAIT_MS)?.count).toBe(1)
  expect(nextOpening(last, last.at - 1)?.count).toBe(1)
})
