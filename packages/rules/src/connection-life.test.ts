import { expect, test } from 'vitest'
import { connectionLife } from './connection-life.ts'

test.each([
  [86_400_000, '24 hours'],
  [86_399_999, '23 hours'],
  [3_600_000, '1 hour'],
  [3_599_999, '59 minutes'],
  [60_000, '1 minute'],
  [59_999, 'less than a minute'],
  [1, 'less than a minute'],
  [0, undefined],
  [-1, undefined],
])('4.1 the remaining time of a connection that expires in %d ms is %s', (left, words) => {
  expect(connectionLife(1_000_000 + left, 1_000_000)).toBe(words)
})
