import { REGISTRATION_LIFETIME_MS } from '@portico/contracts/limits'
import { latestExpiry } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'

const open = prepared((database, given: { email: string; at: number; latest: number }) =>
  database
    .selectFrom('registrations')
    .select(['email', 'organization_code'])
    .where('email', '=', given.email)
    .where('expires_at', '>', given.at)
    .where('expires_at', '<=', given.latest),
)

/** Registrations that were begun and not finished. */
export function registrationsStore(database: Database) {
  return {
    /** Begins a registration, or begins it again. */
    async begin(begun: {
      email: string
      organizationCode: string
      at: number
      expiresAt: number
    }): Promise<void> {
      const values = {
        organization_code: begun.organizationCode,
        created_at: begun.at,
        expires_at: begun.expiresAt,
      }
      await database
        .insertInto('registrations')
        .values({ email: begun.email, ...values })
        .onConflict((conflict) => conflict.column('email').doUpdateSet(values))
        .execute()
    },

    /** The registration of an address that can still be finished. */
    open: async (email: string, at: number) =>
      (await open(database, { email, at, latest: latestExpiry(at, REGISTRATION_LIFETIME_MS) }))[0],
  }
}
