import { sql } from 'kysely'
import { CLOCK_SKEW_MS } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'

const count = prepared(
  (database, event: { key: string; at: number; endedBy: number; latest: number }) => {
    const now = sql<number>`cast(${event.at} as bigint)`
    const expired = sql<boolean>`(counters.window_started_at <= cast(${event.endedBy} as bigint) or counters.window_started_at > cast(${event.latest} as bigint))`
    return database
      .insertInto('counters')
      .values({ key: event.key, windowStartedAt: event.at, count: 1 })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          windowStartedAt: sql<number>`case when ${expired} then ${now} else counters.window_started_at end`,
          count: sql<number>`case when ${expired} then 1 else counters.count + 1 end`,
        }),
      )
      .returning(['count', 'windowStartedAt'])
  },
)

/** Exact counters over fixed windows, also under concurrent increments. */
export function countersStore(database: Database) {
  return {
    /**
     * Increments the counter. Returns the count in the window that its first event started, and when that window ends.
     */
    async count(
      key: string,
      at: number,
      windowMs: number,
    ): Promise<{ readonly count: number; readonly until: number }> {
      const [row] = await count(database, {
        key,
        at,
        endedBy: at - windowMs,
        latest: at + CLOCK_SKEW_MS,
      })
      if (row === undefined) throw new Error('The counter is missing after its upsert')
      return { count: row.count, until: row.windowStartedAt + windowMs }
    },

    async clear(key: string): Promise<void> {
      await database.deleteFrom('counters').where('key', '=', key).execute()
    },
  }
}
