import { type Clock, isRecent } from '../clock.ts'

/** Consumes `cost` (1 by default) from a key's quota in a window. `retryAfterS` is the time until the window ends. */
export interface RateLimit {
  readonly take: (
    key: string,
    allowed: number,
    windowMs: number,
    cost?: number,
  ) => Promise<{ readonly allowed: boolean; readonly retryAfterS: number }>
}

/**
 * The maximum number of keys per window length. Beyond it the oldest are evicted, so memory stays bounded. Each window
 * length has its own keys: a flood of per-minute keys must not evict per-day keys.
 */
const MAX_KEYS = 100_000

/** Rate limits of one process, in memory. A restart resets them. */
export function inProcessRateLimit(clock: Clock): RateLimit {
  const windowsByLength = new Map<number, Map<string, { startedAt: number; count: number }>>()
  return {
    async take(key, allowed, windowMs, cost = 1) {
      const now = clock()
      const windows = windowsByLength.get(windowMs) ?? new Map()
      windowsByLength.set(windowMs, windows)
      const known = windows.get(key)
      const window =
        known && isRecent(known.startedAt, windowMs - 1, now) ? known : { startedAt: now, count: 0 }
      window.count += cost
      if (window !== known) {
        windows.delete(key)
        windows.set(key, window)
        const oldest = windows.size > MAX_KEYS ? windows.keys().next().value : undefined
        if (oldest !== undefined) windows.delete(oldest)
      }
      return {
        allowed: window.count <= allowed,
        retryAfterS: Math.ceil((window.startedAt + windowMs - now) / 1000),
      }
    },
  }
}
