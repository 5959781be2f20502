import type { Database } from '../database/database.ts'

const ONLY_ID = 'vapid'

/** The VAPID key pair, encrypted with the master key. */
export function vapidKeysStore(database: Database) {
  const find = async () =>
    (
      await database
        .selectFrom('vapidKeys')
        .select('wrapped')
        .where('id', '=', ONLY_ID)
        .executeTakeFirst()
    )?.wrapped
  return {
    /** The stored key, or a new one. If several nodes start together, one inserts its key and all use it. */
    async insertUnlessPresent(create: () => string, createdAt: number): Promise<string> {
      const stored = await find()
      if (stored !== undefined) return stored
      await database
        .insertInto('vapidKeys')
        .values({ id: ONLY_ID, wrapped: create(), createdAt })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const inserted = await find()
      if (inserted === undefined) throw new Error('The push key was not stored')
      return inserted
    },
  }
}
