import type { Database } from '../database/database.ts'

/** Remembers what was used, so that it is used once: of any number of racers exactly one is told `true`. */
export function singleUseStore(database: Database) {
  return {
    async use(key: string, expiresAt: number): Promise<boolean> {
      const row = await database
        .insertInto('single_uses')
        .values({ key, expires_at: expiresAt })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .returning('key')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
