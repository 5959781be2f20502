import { LOCKOUT_LINK_LIFETIME_MS } from '@portico/contracts/limits'
import { latestExpiry } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'

const openedIn = prepared(
  (database, given: { deviceHash: string; email: string; at: number; latest: number }) =>
    database
      .selectFrom('lockout_links')
      .select('token_hash')
      .where('device_hash', '=', given.deviceHash)
      .where('email', '=', given.email)
      .where('expires_at', '>', given.at)
      .where('expires_at', '<=', given.latest)
      .limit(1),
)

/** Mailed links, each of which gives one browser attempts of its own at one address. */
export function lockoutLinksStore(database: Database) {
  return {
    async insert(link: { tokenHash: string; email: string; expiresAt: number }): Promise<void> {
      await database
        .insertInto('lockout_links')
        .values({
          token_hash: link.tokenHash,
          email: link.email,
          device_hash: null,
          expires_at: link.expiresAt,
        })
        .execute()
    },

    /** Uses a link up for a browser; of any number of racers exactly one is given the address. */
    async consume(used: {
      tokenHash: string
      deviceHash: string
      at: number
      expiresAt: number
    }): Promise<string | undefined> {
      const row = await database
        .updateTable('lockout_links')
        .set({ device_hash: used.deviceHash, expires_at: used.expiresAt })
        .where('token_hash', '=', used.tokenHash)
        .where('device_hash', 'is', null)
        .where('expires_at', '>', used.at)
        .where('expires_at', '<=', latestExpiry(used.at, LOCKOUT_LINK_LIFETIME_MS))
        .returning('email')
        .executeTakeFirst()
      return row?.email
    },

    /** The link that a browser opened for an address, while it counts. */
    findOpenedIn: async (
      deviceHash: string,
      email: string,
      at: number,
    ): Promise<string | undefined> =>
      (
        await openedIn(database, {
          deviceHash,
          email,
          at,
          latest: latestExpiry(at, LOCKOUT_LINK_LIFETIME_MS),
        })
      )[0]?.token_hash,
  }
}
