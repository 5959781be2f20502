import type { Clock } from '../clock.ts'
import { resultWithin } from '../redis/redis.ts'
import type { Stores } from '../stores.ts'

/** How long a probe may take. Supervisors poll, so their requests must not pile up. */
const PROBE_TIMEOUT_MS = 2000
/** How long a result is cached, so that probes do not load the database. */
const RESULT_LIFETIME_MS = 1000
const MINUTE_MS = 60_000

/**
 * Returns a check of whether the database accepts writes. A database that answers queries may still be read-only, for
 * example with a full disk or as a replica that was not promoted.
 */
export function databaseReadiness({
  stores,
  clock,
}: {
  readonly stores: Pick<Stores, 'counters'>
  readonly clock: Clock
}): () => Promise<boolean> {
  let probe: Promise<boolean> | undefined
  let finishedAt: number | undefined

  async function write(): Promise<boolean> {
    finishedAt = undefined
    try {
      await stores.counters.increment('readiness', clock(), MINUTE_MS)
      return true
    } catch {
      return false // Requests that write fail for the same reason and log it.
    } finally {
      finishedAt = performance.now()
    }
  }

  return async () => {
    const isExpired =
      finishedAt !== undefined && performance.now() - finishedAt > RESULT_LIFETIME_MS
    if (probe === undefined || isExpired) probe = write()
    return (await resultWithin(PROBE_TIMEOUT_MS, probe)) === true
  }
}
