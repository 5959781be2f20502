import { PROVIDER_LOGIN_LIFETIME_MS } from '@portico/contracts/limits'
import type { Selectable } from 'kysely'
import { latestExpiry } from '../../clock.ts'
import type { Database } from '../../database/database.ts'
import type { ProviderTestsTable } from '../../database/tables.ts'

export type ProviderTestRow = Selectable<ProviderTestsTable>

/** Test sign-ins at providers. */
export function providerTestsStore(database: Database) {
  return {
    async insert(test: Omit<ProviderTestsTable, 'consumedAt'>): Promise<void> {
      await database
        .insertInto('providerTests')
        .values({ ...test, consumedAt: null })
        .execute()
    },

    /** Consumes a test's state in the browser that began it. Of concurrent calls, exactly one returns the test. */
    consume: (test: {
      stateHash: string
      providerId: string
      cookieHash: string
      at: number
    }): Promise<ProviderTestRow | undefined> =>
      database
        .updateTable('providerTests')
        .set({ consumedAt: test.at })
        .where('stateHash', '=', test.stateHash)
        .where('providerId', '=', test.providerId)
        .where('cookieHash', '=', test.cookieHash)
        .where('consumedAt', 'is', null)
        .where('expiresAt', '>', test.at)
        .where('expiresAt', '<=', latestExpiry(test.at, PROVIDER_LOGIN_LIFETIME_MS))
        .returningAll()
        .executeTakeFirst(),
  }
}
