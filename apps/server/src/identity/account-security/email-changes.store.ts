import { PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import type { Insertable } from 'kysely'
import { latestExpiry } from '../../clock.ts'
import type { Database } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'

/** Pending changes of an e-mail address. */
export function emailChangesStore(database: Database) {
  return {
    async insert(change: Insertable<Tables['emailChanges']>): Promise<void> {
      await database.insertInto('emailChanges').values(change).execute()
    },

    find: (id: string, identityId: string) =>
      database
        .selectFrom('emailChanges')
        .select(['id', 'email', 'currentCodeMac', 'newCodeMac', 'expiresAt', 'completedAt'])
        .where('id', '=', id)
        .where('identityId', '=', identityId)
        .executeTakeFirst(),

    /** Of concurrent calls, exactly one returns `true`. */
    async consume(id: string, at: number): Promise<boolean> {
      const row = await database
        .updateTable('emailChanges')
        .set({ completedAt: at })
        .where('id', '=', id)
        .where('completedAt', 'is', null)
        .where('expiresAt', '>', at)
        .where('expiresAt', '<=', latestExpiry(at, PASSCODE_LIFETIME_MS))
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Ends all pending changes of the identity. */
    async consumeAll(identityId: string, at: number): Promise<void> {
      await database
        .updateTable('emailChanges')
        .set({ completedAt: at })
        .where('identityId', '=', identityId)
        .where('completedAt', 'is', null)
        .execute()
    },
  }
}
