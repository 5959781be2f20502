import type { Clock } from '../clock.ts'

/** Says whether one more is allowed for a key in a window, and after how many seconds if not. */
export interface RateLimit {
  readonly take: (
    key: string,
    allowed: number,
    windowMs: number,
  ) => Promise<{ readonly allowed: boolean; readonly retryAfterS: number }>
}

/** Keys kept at the same time; past that the oldest windows are forgotten, so that memory stays bounded. */
const KEYS_MAXIMUM = 100_000

/** Rate limits of one process. What they forget at a restart may be forgotten. */
export function inProcessRateLimit(clock: Clock): RateLimit {
  const windows = new Map<string, { startedAt: number; count: number }>()
  return {
    async take(key, allowed, windowMs) {
      const now = clock()
      const known = windows.get(key)
      const window =
        known && known.startedAt + windowMs > now ? known : { startedAt: now, count: 0 }
      window.count += 1
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
