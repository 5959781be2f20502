import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

/** How many requests each rate limit refused, by hour. */
export function rateLimitRefusalsStore(database: Database) {
  return {
    async add(
      hour: number,
      refusals: readonly { readonly limitName: string; readonly refused: number }[],
    ): Promise<void> {
      await database
        .insertInto('rateLimitRefusals')
        .values(refusals.map((each) => ({ hour, ...each })))
        .onConflict((conflict) =>
          conflict.columns(['hour', 'limitName']).doUpdateSet({
            refused: sql<number>`rate_limit_refusals.refused + excluded.refused`,
          }),
        )
        .execute()
    },

    listSince: (hour: number, limit: number) =>
      database
        .selectFrom('rateLimitRefusals')
        .select(['limitName', sql<number>`cast(sum(refused) as bigint)`.as('refused')])
        .select(({ fn }) => fn.max('hour').as('lastHour'))
        .where('hour', '>=', hour)
        .groupBy('limitName')
        .orderBy('refused', 'desc')
        .limit(limit)
        .execute(),
  }
}
