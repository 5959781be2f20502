import { type Clock, isRecent } from '../clock.ts'

/** Whether one more, or `cost` more, is allowed for a key in a window, and after how many seconds if not. */
export interface RateLimit {
  readonly take: (
    key: string,
    allowed: number,
    windowMs: number,
    cost?: number,
  ) => Promise<{ readonly allowed: boolean; readonly retryAfterS: number }>
}

/**
 * Keys kept for each length of window; past that the oldest are forgotten, so that memory stays bounded. Each length has
 * its own: a flood of keys counted by the minute must not displace what is counted by the day.
 */
const KEYS_MAXIMUM = 100_000

/** Rate limits of one process. What they forget at a restart may be forgotten. */
export function inProcessRateLimit(clock: Clock): RateLimit {
  const windowsOf = new Map<number, Map<string, { startedAt: number; count: number }>>()
  return {
    async take(key, allowed, windowMs, cost = 1) {
      const now = clock()
      const windows = windowsOf.get(windowMs) ?? new Map()
      windowsOf.set(windowMs, windows)
      const known = windows.get(key)
      const window =
        known && isRecent(known.startedAt, windowMs - 1, now) ? known : { startedAt: now, count: 0 }
      window.count += cost
      if (window !== known) {
        windows.delete(key)
        windows.set(key, window)
        const oldest = windows.size > KEYS_MAXIMUM ? windows.keys().next().value : undefined
        if (oldest !== undefined) windows.delete(oldest)
      }
      return {
        allowed: window.count <= allowed,
        retryAfterS: Math.ceil((window.startedAt + windowMs - now) / 1000),
      }
    },
  }
}
