import { PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import type { Insertable } from 'kysely'
import { latestExpiry } from '../../clock.ts'
import type { Database } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'

/** Pending changes of an e-mail address. */
export function emailChangesStore(database: Database) {
  return {
    async insert(change: Insertable<Tables['email_changes']>): Promise<void> {
      await database.insertInto('email_changes').values(change).execute()
    },

    find: (id: string, identityId: string) =>
      database
        .selectFrom('email_changes')
        .select(['id', 'email', 'current_code_mac', 'new_code_mac', 'expires_at', 'completed_at'])
        .where('id', '=', id)
        .where('identity_id', '=', identityId)
        .executeTakeFirst(),

    /** Of concurrent calls, exactly one returns `true`. */
    async consume(id: string, at: number): Promise<boolean> {
      const row = await database
        .updateTable('email_changes')
        .set({ completed_at: at })
        .where('id', '=', id)
        .where('completed_at', 'is', null)
        .where('expires_at', '>', at)
        .where('expires_at', '<=', latestExpiry(at, PASSCODE_LIFETIME_MS))
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Ends all pending changes of the identity. */
    async consumeAll(identityId: string, at: number): Promise<void> {
      await database
        .updateTable('email_changes')
        .set({ completed_at: at })
        .where('identity_id', '=', identityId)
        .where('completed_at', 'is', null)
        .execute()
    },
  }
}
