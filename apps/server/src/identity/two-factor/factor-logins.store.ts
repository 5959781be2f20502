import { FIRST_FACTOR_LIFETIME_MS } from '@portico/contracts/limits'
import { latestExpiry } from '../../clock.ts'
import type { Database } from '../../database/database.ts'
import type { SessionsTable } from '../../database/tables.ts'

/** Logins that wait for the second factor. */
export function factorLoginsStore(database: Database) {
  return {
    async insert(login: {
      id: string
      identityId: string
      method: SessionsTable['method']
      credentialVersion: number
      at: number
      expiresAt: number
    }): Promise<void> {
      await database
        .insertInto('factor_logins')
        .values({
          id: login.id,
          identity_id: login.identityId,
          method: login.method,
          credential_version: login.credentialVersion,
          created_at: login.at,
          expires_at: login.expiresAt,
          completed_at: null,
        })
        .execute()
    },

    /** A login that is neither completed nor expired. */
    findWaiting: (id: string, at: number) =>
      database
        .selectFrom('factor_logins')
        .select(['id', 'identity_id', 'method', 'credential_version', 'created_at'])
        .where('id', '=', id)
        .where('completed_at', 'is', null)
        .where('expires_at', '>', at)
        .where('expires_at', '<=', latestExpiry(at, FIRST_FACTOR_LIFETIME_MS))
        .executeTakeFirst(),

    /** Of concurrent calls, exactly one returns `true`. */
    async complete(id: string, at: number): Promise<boolean> {
      const row = await database
        .updateTable('factor_logins')
        .set({ completed_at: at })
        .where('id', '=', id)
        .where('completed_at', 'is', null)
        .where('expires_at', '>', at)
        .where('expires_at', '<=', latestExpiry(at, FIRST_FACTOR_LIFETIME_MS))
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
