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

const FORMS: readonly (readonly [string, () => Promise<RateLimit>])[] = [
  ['in process', async () => inProcessRateLimit(clock)],
  ...(TEST_REDIS_URL === undefined
    ? []
    : [
        [
          'through Redis',
          async () => {
            const redis = await ownTestRedis()
            opened.push(async () => void (await redis.commands.flushdb()), redis.close)
            return redisRateLimit({ redis, clock, meanwhile: inProcessRateLimit(clock) })
          },
        ] as const,
      ]),
]

describe.each(FORMS)('a limit %s', (_name, aLimit) => {
  test('8 what costs more uses more of the window', async () => {
    const limit = await aLimit()
    const take = (cost: number) => limit.take('bytes', 1000, 10_000, cost)
    expect(await take(900)).toMatchObject({ allowed: true })
    expect(await take(101)).toMatchObject({ allowed: false })
    pass(10_000)
    expect(await take(1000)).toMatchObject({ allowed: true })
  })

  test('8 a key is allowed so many times in a window and told when the next one opens', async () => {
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

  test('a window that began while the clock was a year ahead is over', async () => {
    const limit = await aLimit()
    const take = async () => (await limit.take('key', 1, 10_000)).allowed
    pass(YEAR_MS)
    expect([await take(), await take()]).toEqual([true, false])
    pass(-YEAR_MS)
    expect([await take(), await take()]).toEqual([true, false])
    // Nodes whose clocks differ by seconds still count together.
    pass(-9000)
    expect(await take()).toBe(false)
    pass(9000)
  })

  test('8 keys are counted apart', async () => {
    const limit = await aLimit()
    expect((await limit.take('one', 1, 1000)).allowed).toBe(true)
    expect((await limit.take('one', 1, 1000)).allowed).toBe(false)
    expect((await limit.take('other', 1, 1000)).allowed).toBe(true)
  })

  test('8 of any number of racers exactly so many are allowed', async () => {
    const limit = await aLimit()
    const taken = await Promise.all(Array.from({ length: 100 }, () => limit.take('key', 7, 60_000)))
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(7)
  })
})

test('8 many keys push out the oldest, so that memory stays bounded', async () => {
  const limit = inProcessRateLimit(clock)
  await limit.take('first', 1, 1000)
  for (let each = 0; each < 100_000; each += 1) await limit.take(`key ${each}`, 1, 1000)
  expect((await limit.take('first', 1, 1000)).allowed).toBe(true)
  expect((await limit.take('key 99999', 1, 1000)).allowed).toBe(false)
})

test('10 B5 many keys of a short window leave those of a long one alone', async () => {
  const limit = inProcessRateLimit(clock)
  const ofDay = () => limit.take('bytes', 1, 86_400_000)
  expect((await ofDay()).allowed).toBe(true)
  for (let each = 0; each < 100_001; each += 1) await limit.take(`session ${each}`, 1, 60_000)
  expect((await ofDay()).allowed).toBe(false)
})

test.runIf(TEST_REDIS_URL !== undefined)(
  '8 while Redis is gone a node counts by itself',
  async () => {
    const redis = await ownTestRedis()
    const limit = redisRateLimit({ redis, clock, meanwhile: inProcessRateLimit(clock) })
    await redis.close()
    expect((await limit.take('key', 1, 60_000)).allowed).toBe(true)
    expect((await limit.take('key', 1, 60_000)).allowed).toBe(false)
  },
)
