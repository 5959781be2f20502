import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

/** Codes at the second step that did not lead to a success. A day does not renew them; only a success does. */
export function wrongCodesStore(database: Database) {
  return {
    /** Counts one more before it is looked at; returns how many there are now. */
    async take(key: string, identityId: string): Promise<number> {
      const { count } = await database
        .insertInto('wrong_codes')
        .values({ key, identity_id: identityId, count: 1 })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({ count: sql<number>`wrong_codes.count + 1` }),
        )
        .returning('count')
        .executeTakeFirstOrThrow()
      return count
    },

    /** How many there are of a person, in all browsers and by all methods. */
    async ofIdentity(identityId: string): Promise<number> {
      const { total } = await database
        .selectFrom('wrong_codes')
        .select(({ fn }) => fn.sum<number | string | null>('count').as('total'))
        .where('identity_id', '=', identityId)
        .executeTakeFirstOrThrow()
      return Number(total ?? 0)
    },

    async clear(identityId: string): Promise<void> {
      await database.deleteFrom('wrong_codes').where('identity_id', '=', identityId).execute()
    },
  }
}
