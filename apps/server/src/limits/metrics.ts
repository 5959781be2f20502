import { Counter, type Registry } from 'prom-client'
import type { RateLimit } from './rate-limit.ts'

/**
 * Counts a rate limit's refusals by the first word of the key, which names the limit. The rest is a network or an ID.
 * `takeRefusals` returns the refusals since the last call.
 */
export function countedRateLimit(
  rateLimit: RateLimit,
  registry: Registry,
): RateLimit & { readonly takeRefusals: () => ReadonlyMap<string, number> } {
  const refused = new Counter({
    name: 'portico_rate_limited_total',
    help: 'Requests that a rate limit refused, by limit.',
    labelNames: ['limit'],
    registers: [registry],
  })
  let refusals = new Map<string, number>()
  return {
    takeRefusals() {
      const taken = refusals
      refusals = new Map()
      return taken
    },
    async take(key, allowed, windowMs, cost) {
      const result = await rateLimit.take(key, allowed, windowMs, cost)
      if (!result.allowed) {
        const limit = key.slice(0, key.indexOf(' '))
        refused.inc({ limit })
        refusals.set(limit, (refusals.get(limit) ?? 0) + 1)
      }
      return result
    },
  }
}
