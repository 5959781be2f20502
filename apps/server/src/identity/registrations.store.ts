import { REGISTRATION_LIFETIME_MS } from '@portico/contracts/limits'
import { latestExpiry } from '../clock.ts'
import type { Database } from '../database/database.ts'

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
    findOpen: (email: string, at: number) =>
      database
        .selectFrom('registrations')
        .select(['email', 'organizationCode'])
        .where('email', '=', email)
        .where('expiresAt', '>', at)
        .where('expiresAt', '<=', latestExpiry(at, REGISTRATION_LIFETIME_MS))
        .executeTakeFirst(),
  }
}
