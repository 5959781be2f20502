import { sql } from 'kysely'
import { CLOCK_SKEW_MS } from '../clock.ts'
import type { Database } from '../database/database.ts'

/** Counters over fixed windows that are exact even under concurrent increments. */
export function countersStore(database: Database) {
  return {
    /**
     * Increments the counter. Returns the count in the window that its first event started, and when that window ends.
     */
    async increment(
      key: string,
      at: number,
      windowMs: number,
    ): Promise<{ readonly count: number; readonly until: number }> {
      const isExpired = sql<boolean>`(counters.window_started_at <= cast(${at - windowMs} as bigint) or counters.window_started_at > cast(${at + CLOCK_SKEW_MS} as bigint))`
      const row = await database
        .insertInto('counters')
        .values({ key, windowStartedAt: at, count: 1 })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({
            windowStartedAt: sql<number>`case when ${isExpired} then cast(${at} as bigint) else counters.window_started_at end`,
            count: sql<number>`case when ${isExpired} then 1 else counters.count + 1 end`,
          }),
        )
        .returning(['count', 'windowStartedAt'])
        .executeTakeFirstOrThrow()
      return { count: row.count, until: row.windowStartedAt + windowMs }
    },

    async delete(key: string): Promise<void> {
      await database.deleteFrom('counters').where('key', '=', key).execute()
    },
  }
}
