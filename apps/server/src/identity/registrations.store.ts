import { REGISTRATION_LIFETIME_MS } from '@portico/contracts/limits'
import { latestExpiry } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'

const open = prepared((database, query: { email: string; at: number; latest: number }) =>
  database
    .selectFrom('registrations')
    .select(['email', 'organization_code'])
    .where('email', '=', query.email)
    .where('expires_at', '>', query.at)
    .where('expires_at', '<=', query.latest),
)

/** Unfinished registrations. */
export function registrationsStore(database: Database) {
  return {
    /** Begins or restarts a registration. */
    async upsert(registration: {
      email: string
      organizationCode: string
      at: number
      expiresAt: number
    }): Promise<void> {
      const values = {
        organization_code: registration.organizationCode,
        created_at: registration.at,
        expires_at: registration.expiresAt,
      }
      await database
        .insertInto('registrations')
        .values({ email: registration.email, ...values })
        .onConflict((conflict) => conflict.column('email').doUpdateSet(values))
        .execute()
    },

    /** The registration of an address, while it can be finished. */
    findOpen: async (email: string, at: number) =>
      (await open(database, { email, at, latest: latestExpiry(at, REGISTRATION_LIFETIME_MS) }))[0],
  }
}
