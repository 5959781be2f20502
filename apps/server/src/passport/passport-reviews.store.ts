import { randomUUID } from 'node:crypto'
import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'

/** The timeline of passports: submissions and decisions. */
export function passportReviewsStore(database: Database) {
  return {
    async insert(entry: Omit<Insertable<Tables['passportReviews']>, 'id'>): Promise<void> {
      await database
        .insertInto('passportReviews')
        .values({ id: randomUUID(), ...entry })
        .execute()
    },

    /** Oldest first. */
    list: (passportId: string): Promise<Selectable<Tables['passportReviews']>[]> =>
      database
        .selectFrom('passportReviews')
        .selectAll()
        .where('passportId', '=', passportId)
        .orderBy('createdAt')
        .orderBy('id')
        .execute(),
  }
}
