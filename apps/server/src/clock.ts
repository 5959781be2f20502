/** The time in epoch milliseconds. Handed in wherever a rule depends on it. */
export type Clock = () => number

/**
 * How far the clocks of several nodes may be apart. A time further ahead than that was written by a clock that was wrong:
 * what it began, or lets last, counts as over.
 */
export const CLOCK_SKEW_MS = 60_000

/** The latest expiry that a right clock can have written for what lasts `lifetimeMs`. */
export function latestExpiry(now: number, lifetimeMs: number): number {
  return now + lifetimeMs + CLOCK_SKEW_MS
}

/** Whether something that lasts `lifetimeMs` is not over yet. */
export function isLive(expiresAt: number, lifetimeMs: number, now: number): boolean {
  return expiresAt > now && expiresAt <= latestExpiry(now, lifetimeMs)
}

/** Whether something happened within the last `withinMs`. */
export function isRecent(at: number, withinMs: number, now: number): boolean {
  return now - at <= withinMs && at <= now + CLOCK_SKEW_MS
}

/** Tells whether the clock was set since the last question, by another one that only counts on. */
export function clockJumps(clock: Clock): () => boolean {
  const difference = () => clock() - performance.now()
  let known = difference()
  return () => {
    const before = known
    known = difference()
    return Math.abs(known - before) > CLOCK_SKEW_MS
  }
}
