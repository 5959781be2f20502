import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { writePlaces } from './write-places.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('a quarter of the connections is never used by writes', async () => {
  const { take } = writePlaces(8)
  const taken = await Promise.all(Array.from({ length: 6 }, take))
  expect(taken.every((place) => place !== undefined)).toBe(true)
  const seventh = take()
  vi.advanceTimersByTime(2000)
  expect(await seventh).toBeUndefined()
})

test('a released place goes to the write that has waited longest, for as long as writes end', async () => {
  const { take } = writePlaces(2)
  const place = await take()
  const [second, third] = [take(), take()]
  vi.advanceTimersByTime(1500)
  place?.release('answered')
  place?.release('answered')
  const next = await second
  vi.advanceTimersByTime(1500)
  next?.release('answered')
  expect(await third).toBeDefined()
})

test('while writes get no response, others do not wait for them, until one is answered', async () => {
  const { take } = writePlaces(2)
  const place = await take()
  const waiting = take()
  place?.release('lost')
  expect(await waiting).toBeUndefined()
  const next = await take()
  expect(await take()).toBeUndefined()
  next?.release('answered')
  const [first, second] = [await take(), take()]
  first?.release('answered')
  expect(await second).toBeDefined()
})

test('one connection serves reads and writes', async () => {
  expect(await writePlaces(1).take()).toBeDefined()
})
