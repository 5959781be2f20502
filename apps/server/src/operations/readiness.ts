import type { Clock } from '../clock.ts'
import { resultWithin } from '../redis/redis.ts'
import type { Stores } from '../stores.ts'

/** How long a probe may take. A supervisor asks again before long and must not pile up requests. */
const ANSWER_TIMEOUT_MS = 2000
/** How long an answer stands, so that probes cannot load the database. */
const ANSWER_LIFETIME_MS = 1000
const MINUTE_MS = 60_000

/**
 * Whether the database takes writes. One that answers queries may still be unable to store anything: its disk is full,
 * or it is a replica that was not promoted.
 */
export function databaseReadiness({
  stores,
  clock,
}: {
  readonly stores: Pick<Stores, 'counters'>
  readonly clock: Clock
}): () => Promise<boolean> {
  let probe: Promise<boolean> | undefined
  let answeredAt: number | undefined

  async function write(): Promise<boolean> {
    answeredAt = undefined
    try {
      await stores.counters.count('readiness', clock(), MINUTE_MS)
      return true
    } catch {
      return false // Whatever the reason: requests that write fail for it as well, and log it.
    } finally {
      answeredAt = performance.now()
    }
  }

  return async () => {
    const isOver = answeredAt !== undefined && performance.now() - answeredAt > ANSWER_LIFETIME_MS
    if (probe === undefined || isOver) probe = write()
    return (await resultWithin(ANSWER_TIMEOUT_MS, probe)) === true
  }
}
