import { sql } from 'kysely'
import { CLOCK_SKEW_MS } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'

const count = prepared(
  (database, given: { key: string; at: number; endedBy: number; latest: number }) => {
    const now = sql<number>`cast(${given.at} as bigint)`
    const over = sql<boolean>`(counters.window_started_at <= cast(${given.endedBy} as bigint) or counters.window_started_at > cast(${given.latest} as bigint))`
    return database
      .insertInto('counters')
      .values({ key: given.key, window_started_at: given.at, count: 1 })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          window_started_at: sql<number>`case when ${over} then ${now} else counters.window_started_at end`,
          count: sql<number>`case when ${over} then 1 else counters.count + 1 end`,
        }),
      )
      .returning(['count', 'window_started_at'])
  },
)

/** Counts what happens in windows, exactly, whoever else counts at the same moment. */
export function countersStore(database: Database) {
  return {
    /** Counts one more; gives how many there are now in the window that began with the first, and when it ends. */
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
      if (row === undefined) throw new Error('A counter that was just counted is not there')
      return { count: row.count, until: row.window_started_at + windowMs }
    },

    async clear(key: string): Promise<void> {
      await database.deleteFrom('counters').where('key', '=', key).execute()
    },
  }
}
