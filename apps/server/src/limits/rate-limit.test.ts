import { afterEach, describe, expect, test } from 'vitest'
import { ownTestRedis, TEST_REDIS_URL } from '../redis/testing.ts'
import { inProcessRateLimit, type RateLimit } from './rate-limit.ts'
import { redisRateLimit } from './redis-rate-limit.ts'

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

let now = 1_800_000_000_000
const clock = () => now
const YEAR_MS = 365 * 24 * 60 * 60 * 1000
const pass = (ms: number) => void (now += ms)

const IMPLEMENTATIONS: readonly (readonly [string, () => Promise<RateLimit>])[] = [
  ['in process', async () => inProcessRateLimit(clock)],
  ...(TEST_REDIS_URL === undefined
    ? []
    : [
        [
          'through Redis',
          async () => {
            const redis = await ownTestRedis()
            opened.push(async () => void (await redis.commands.flushdb()), redis.close)
            return redisRateLimit({ redis, clock, fallback: inProcessRateLimit(clock) })
          },
        ] as const,
      ]),
]

describe.each(IMPLEMENTATIONS)('the rate limit %s', (_name, aLimit) => {
  test('8 a higher cost uses up more of the window', async () => {
    const limit = await aLimit()
    const take = (cost: number) => limit.take('bytes', 1000, 10_000, cost)
    expect(await take(900)).toMatchObject({ allowed: true })
    expect(await take(101)).toMatchObject({ allowed: false })
    pass(10_000)
    expect(await take(1000)).toMatchObject({ allowed: true })
  })

  test('8 a key has a quota per window, and each result says when the window ends', async () => {
    const limit = await aLimit()
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

  test('a window that started while the clock was a year ahead has expired', async () => {
    const limit = await aLimit()
    const take = async () => (await limit.take('key', 1, 10_000)).allowed
    pass(YEAR_MS)
    expect([await take(), await take()]).toEqual([true, false])
    pass(-YEAR_MS)
    expect([await take(), await take()]).toEqual([true, false])
    // Clock skew of a few seconds between nodes does not start a new window.
    pass(-9000)
    expect(await take()).toBe(false)
    pass(9000)
  })

  test('8 keys are counted separately', async () => {
    const limit = await aLimit()
    expect((await limit.take('one', 1, 1000)).allowed).toBe(true)
    expect((await limit.take('one', 1, 1000)).allowed).toBe(false)
    expect((await limit.take('other', 1, 1000)).allowed).toBe(true)
  })

  test('8 of concurrent requests exactly the quota is allowed', async () => {
    const limit = await aLimit()
    const results = await Promise.all(
      Array.from({ length: 100 }, () => limit.take('key', 7, 60_000)),
    )
    expect(results.filter(({ allowed }) => allowed)).toHaveLength(7)
  })
})

test('8 the oldest keys are evicted, so memory stays bounded', async () => {
  const limit = inProcessRateLimit(clock)
  await limit.take('first', 1, 1000)
  for (let each = 0; each < 100_000; each += 1) await limit.take(`key ${each}`, 1, 1000)
  expect((await limit.take('first', 1, 1000)).allowed).toBe(true)
  expect((await limit.take('key 99999', 1, 1000)).allowed).toBe(false)
})

test('10 B5 a flood of short-window keys does not evict long-window keys', async () => {
  const limit = inProcessRateLimit(clock)
  const takeDaily = () => limit.take('bytes', 1, 86_400_000)
  expect((await takeDaily()).allowed).toBe(true)
  for (let each = 0; each < 100_001; each += 1) await limit.take(`session ${each}`, 1, 60_000)
  expect((await takeDaily()).allowed).toBe(false)
})

test.runIf(TEST_REDIS_URL !== undefined)(
  '8 while Redis is unreachable a node counts locally',
  async () => {
    const redis = await ownTestRedis()
    const limit = redisRateLimit({ redis, clock, fallback: inProcessRateLimit(clock) })
    await redis.close()
    expect((await limit.take('key', 1, 60_000)).allowed).toBe(true)
    expect((await limit.take('key', 1, 60_000)).allowed).toBe(false)
  },
)
