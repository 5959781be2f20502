import { expect, test } from 'vitest'
import { TokenBucket } from './token-bucket.ts'

test('7.4 a bucket can be emptied at once and refills over time up to its capacity', () => {
  let now = 1000
  const bucket = new TokenBucket(10, 2, () => now)
  expect(bucket.isFull()).toBe(true)
  expect(bucket.take(10)).toBe(true)
  expect(bucket.take(1)).toBe(false)
  now += 500
  expect(bucket.take(1)).toBe(true)
  expect(bucket.take(1)).toBe(false)
  now += 60_000
  expect(bucket.isFull()).toBe(true)
  expect(bucket.take(11)).toBe(false)
  expect(bucket.take(10)).toBe(true)
})

test('7.4 a clock that is set back does not drain the bucket', () => {
  let now = 1_000_000
  const bucket = new TokenBucket(10, 2, () => now)
  now -= 900_000
  expect(bucket.take(10)).toBe(true)
})
