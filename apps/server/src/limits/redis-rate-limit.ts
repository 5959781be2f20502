import { CLOCK_SKEW_MS, type Clock } from '../clock.ts'
import { inTime, type RedisConnections } from '../redis/redis.ts'
import type { RateLimit } from './rate-limit.ts'

/**
 * Counts so many more in the window of a key, or in a new one. KEYS counter. ARGV now, length of the window in ms, how far
 * ahead a window may have begun, how many. Returns the count and when the window began.
 */
const TAKE = `
local from = tonumber(redis.call('HGET', KEYS[1], 'from') or 0)
local now = tonumber(ARGV[1])
if from + ARGV[2] <= now or from > now + ARGV[3] then
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'from', ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  from = now
end
return { redis.call('HINCRBY', KEYS[1], 'count', ARGV[4]), from }`

/** No request waits longer for its count. */
const PATIENCE_MS = 250

/** Rate limits that several nodes share. While Redis is gone each node counts by itself: nobody is turned away for it. */
export function redisRateLimit(deps: {
  readonly redis: RedisConnections
  readonly clock: Clock
  readonly meanwhile: RateLimit
}): RateLimit {
  const { clock, meanwhile } = deps
  const { commands } = deps.redis
  return {
    async take(key, allowed, windowMs, cost = 1) {
      if (commands.status !== 'ready') return meanwhile.take(key, allowed, windowMs, cost)
      const now = clock()
      const counted = commands.eval(TAKE, 1, `rate:${key}`, now, windowMs, CLOCK_SKEW_MS, cost)
      const answer = await inTime(PATIENCE_MS, counted)
      if (answer === undefined) return meanwhile.take(key, allowed, windowMs, cost)
      const [count, from] = answer as [number, number] // As the script says.
      return {
        allowed: count <= allowed,
        retryAfterS: Math.ceil((from + windowMs - now) / 1000),
      }
    },
  }
}
