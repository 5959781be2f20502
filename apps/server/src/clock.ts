/** Returns the time in epoch milliseconds. Passed in wherever a rule depends on time. */
export type Clock = () => number

/**
 * How far apart the clocks of several nodes may be. A timestamp further in the future came from a wrong clock, and its
 * record counts as expired.
 */
export const CLOCK_SKEW_MS = 60_000

/** The latest expiry that a correct clock can have set for something that lasts `lifetimeMs`. */
export function latestExpiry(now: number, lifetimeMs: number): number {
  return now + lifetimeMs + CLOCK_SKEW_MS
}

/** Whether something that lasts `lifetimeMs` has not expired. */
export function isLive(expiresAt: number, lifetimeMs: number, now: number): boolean {
  return expiresAt > now && expiresAt <= latestExpiry(now, lifetimeMs)
}

/** Whether something happened within the last `withinMs`. */
export function isRecent(at: number, withinMs: number, now: number): boolean {
  return now - at <= withinMs && at <= now + CLOCK_SKEW_MS
}

/**
 * Returns a function that detects whether the clock was changed since the previous call, by comparison with a monotonic
 * clock.
 */
export function clockJumps(clock: Clock): () => boolean {
  const difference = () => clock() - performance.now()
  let last = difference()
  return () => {
    const before = last
    last = difference()
    return Math.abs(last - before) > CLOCK_SKEW_MS
  }
}
