import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'

/** Idempotency keys of admin API writes, with their encrypted responses. */
export function idempotencyKeysStore(database: Database) {
  return {
    /** Returns `false` if the key is already stored. */
    async insert(key: Insertable<Tables['idempotencyKeys']>): Promise<boolean> {
      const row = await database
        .insertInto('idempotencyKeys')
        .values(key)
        .onConflict((conflict) => conflict.doNothing())
        .returning('keyHash')
        .executeTakeFirst()
      return row !== undefined
    },

    find: (keyHash: string): Promise<Selectable<Tables['idempotencyKeys']> | undefined> =>
      database
        .selectFrom('idempotencyKeys')
        .selectAll()
        .where('keyHash', '=', keyHash)
        .executeTakeFirst(),

    async updateAnswer(keyHash: string, answer: string): Promise<void> {
      await database
        .updateTable('idempotencyKeys')
        .set({ answer })
        .where('keyHash', '=', keyHash)
        .execute()
    },

    async delete(keyHash: string): Promise<void> {
      await database.deleteFrom('idempotencyKeys').where('keyHash', '=', keyHash).execute()
    },
  }
}
