import { Counter, type Registry } from 'prom-client'
import type { RateLimit } from './rate-limit.ts'

/** Counts what a rate limit refuses by the first word of the key, which names the limit. The rest is a network or an ID. */
export function countedRateLimit(rateLimit: RateLimit, registry: Registry): RateLimit {
  const refused = new Counter({
    name: 'portico_rate_limited_total',
    help: 'Requests that a rate limit refused, by limit.',
    labelNames: ['limit'],
    registers: [registry],
  })
  return {
    async take(key, allowed, windowMs, cost) {
      const result = await rateLimit.take(key, allowed, windowMs, cost)
      if (!result.allowed) refused.inc({ limit: key.slice(0, key.indexOf(' ')) })
      return result
    },
  }
}
