import { FIRST_FACTOR_LIFETIME_MS } from '@portico/contracts/limits'
import { latestExpiry } from '../../clock.ts'
import type { Database } from '../../database/database.ts'
import type { FactorLoginsTable } from '../../database/tables.ts'

/** Logins waiting for the second factor. */
export function factorLoginsStore(database: Database) {
  return {
    async insert(login: {
      id: string
      identityId: string
      method: FactorLoginsTable['method']
      credentialVersion: number
      at: number
      expiresAt: number
    }): Promise<void> {
      await database
        .insertInto('factorLogins')
        .values({
          id: login.id,
          identityId: login.identityId,
          method: login.method,
          credentialVersion: login.credentialVersion,
          createdAt: login.at,
          expiresAt: login.expiresAt,
          completedAt: null,
        })
        .execute()
    },

    /** A login that is neither completed nor expired. */
    findWaiting: (id: string, at: number) =>
      database
        .selectFrom('factorLogins')
        .select(['id', 'identityId', 'method', 'credentialVersion', 'createdAt'])
        .where('id', '=', id)
        .where('completedAt', 'is', null)
        .where('expiresAt', '>', at)
        .where('expiresAt', '<=', latestExpiry(at, FIRST_FACTOR_LIFETIME_MS))
        .executeTakeFirst(),

    /** Of concurrent calls, exactly one returns `true`. */
    async consume(id: string, at: number): Promise<boolean> {
      const row = await database
        .updateTable('factorLogins')
        .set({ completedAt: at })
        .where('id', '=', id)
        .where('completedAt', 'is', null)
        .where('expiresAt', '>', at)
        .where('expiresAt', '<=', latestExpiry(at, FIRST_FACTOR_LIFETIME_MS))
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
