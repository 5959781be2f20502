import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

/** Counts what happens in windows, exactly, whoever else counts at the same moment. */
export function countersStore(database: Database) {
  return {
    /** Counts one more; gives how many there are now in the window that began with the first, and when it ends. */
    async count(
      key: string,
      at: number,
      windowMs: number,
    ): Promise<{ readonly count: number; readonly until: number }> {
      const now = sql<number>`cast(${at} as bigint)`
      const over = sql<boolean>`counters.window_started_at <= ${at - windowMs}`
      const { count, window_started_at } = await database
        .insertInto('counters')
        .values({ key, window_started_at: at, count: 1 })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({
            window_started_at: sql<number>`case when ${over} then ${now} else counters.window_started_at end`,
            count: sql<number>`case when ${over} then 1 else counters.count + 1 end`,
          }),
        )
        .returning(['count', 'window_started_at'])
        .executeTakeFirstOrThrow()
      return { count, until: window_started_at + windowMs }
    },
  }
}
