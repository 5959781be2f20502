import { REGISTRATION_LIFETIME_MS } from '@portico/contracts/limits'
import { latestExpiry } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'

const open = prepared((database, query: { email: string; at: number; latest: number }) =>
  database
    .selectFrom('registrations')
    .select(['email', 'organizationCode'])
    .where('email', '=', query.email)
    .where('expiresAt', '>', query.at)
    .where('expiresAt', '<=', query.latest),
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
        organizationCode: registration.organizationCode,
        createdAt: registration.at,
        expiresAt: registration.expiresAt,
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
