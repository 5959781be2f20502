import type { Database } from '../database/database.ts'

/** Records used keys: of concurrent calls with the same key, exactly one returns `true`. */
export function singleUseStore(database: Database) {
  return {
    async consume(key: string, expiresAt: number): Promise<boolean> {
      const row = await database
        .insertInto('singleUses')
        .values({ key, expiresAt })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .returning('key')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
