import { expect, test } from 'vitest'
import { inProcessRateLimit } from './rate-limit.ts'

function aLimit() {
  let now = 1_000_000
  return { limit: inProcessRateLimit(() => now), pass: (ms: number) => (now += ms) }
}

test('8 a key is allowed so many times in a window and told when the next one opens', async () => {
  const { limit, pass } = aLimit()
  const take = () => limit.take('key', 2, 10_000)
  expect(await take()).toEqual({ allowed: true, retryAfterS: 10 })
  pass(4000)
  expect(await take()).toEqual({ allowed: true, retryAfterS: 6 })
  expect(await take()).toEqual({ allowed: false, retryAfterS: 6 })
  pass(5999)
  expect(await take()).toEqual({ allowed: false, retryAfterS: 1 })
  pass(1)
  expect(await take()).toEqual({ allowed: true, retryAfterS: 10 })
})

test('8 keys are counted apart', async () => {
  const { limit } = aLimit()
  expect((await limit.take('one', 1, 1000)).allowed).toBe(true)
  expect((await limit.take('one', 1, 1000)).allowed).toBe(false)
  expect((await limit.take('other', 1, 1000)).allowed).toBe(true)
})

test('8 many keys push out the oldest, so that memory stays bounded', async () => {
  const { limit } = aLimit()
  await limit.take('first', 1, 1000)
  for (let each = 0; each < 100_000; each += 1) await limit.take(`key ${each}`, 1, 1000)
  expect((await limit.take('first', 1, 1000)).allowed).toBe(true)
  expect((await limit.take('key 99999', 1, 1000)).allowed).toBe(false)
})
