import { MAX_WRONG_CODES } from '@portico/contracts/limits'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

/** Wrong codes at the second step. They do not expire; only a success resets them. */
export function wrongCodesStore(database: Database) {
  return {
    /** Counts a code before it is verified. Returns the new count. */
    async increment(key: string, identityId: string): Promise<number> {
      const { count } = await database
        .insertInto('wrongCodes')
        .values({ key, identityId, count: 1 })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({ count: sql<number>`wrong_codes.count + 1` }),
        )
        .returning('count')
        .executeTakeFirstOrThrow()
      return count
    },

    /** The count for an identity across all browsers and methods. */
    async countByIdentity(identityId: string): Promise<number> {
      const { total } = await database
        .selectFrom('wrongCodes')
        .select(({ fn }) => fn.sum<number | string | null>('count').as('total'))
        .where('identityId', '=', identityId)
        .executeTakeFirstOrThrow()
      return Number(total ?? 0)
    },

    /** Whether a method has closed for an identity, in any browser. */
    async hasClosed(identityId: string): Promise<boolean> {
      const closed = await database
        .selectFrom('wrongCodes')
        .select('key')
        .where('identityId', '=', identityId)
        .where('count', '>=', MAX_WRONG_CODES)
        .limit(1)
        .executeTakeFirst()
      return closed !== undefined
    },

    /** Returns whether there were any. */
    async delete(identityId: string): Promise<boolean> {
      const rows = await database
        .deleteFrom('wrongCodes')
        .where('identityId', '=', identityId)
        .returning('key')
        .execute()
      return rows.length > 0
    },
  }
}
