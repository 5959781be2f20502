import { CLOCK_SKEW_MS, type Clock } from '../clock.ts'
import { type RedisConnections, resultWithin } from '../redis/redis.ts'
import type { RateLimit } from './rate-limit.ts'

/**
 * Adds to the counter of a key and starts a new window if the last one expired. KEYS: counter. ARGV: now, window length
 * in ms, how far ahead a window may have started, cost. Returns the count and when the window started.
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

/** The maximum time that a request waits for Redis. */
const TIMEOUT_MS = 250

/**
 * Rate limits shared by all nodes. While Redis is unreachable each node counts locally, so no request is refused
 * because of it.
 */
export function redisRateLimit(deps: {
  readonly redis: RedisConnections
  readonly clock: Clock
  readonly fallback: RateLimit
}): RateLimit {
  const { clock, fallback } = deps
  const { commands } = deps.redis
  return {
    async take(key, allowed, windowMs, cost = 1) {
      if (commands.status !== 'ready') return fallback.take(key, allowed, windowMs, cost)
      const now = clock()
      const counting = commands.eval(TAKE, 1, `rate:${key}`, now, windowMs, CLOCK_SKEW_MS, cost)
      const reply = await resultWithin(TIMEOUT_MS, counting)
      if (reply === undefined) return fallback.take(key, allowed, windowMs, cost)
      const [count, from] = reply as [number, number] // As the script returns it.
      return {
        allowed: count <= allowed,
        retryAfterS: Math.ceil((from + windowMs - now) / 1000),
      }
    },
  }
}
