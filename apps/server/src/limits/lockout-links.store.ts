import { LOCKOUT_LINK_LIFETIME_MS } from '@portico/contracts/limits'
import { latestExpiry } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'

const openedBy = prepared(
  (database, query: { deviceHash: string; email: string; at: number; latest: number }) =>
    database
      .selectFrom('lockout_links')
      .select('token_hash')
      .where('device_hash', '=', query.deviceHash)
      .where('email', '=', query.email)
      .where('expires_at', '>', query.at)
      .where('expires_at', '<=', query.latest)
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

    /** Consumes a link for a browser and returns its address. Of concurrent calls, exactly one gets the address. */
    async consume(use: {
      tokenHash: string
      deviceHash: string
      at: number
      expiresAt: number
    }): Promise<string | undefined> {
      const row = await database
        .updateTable('lockout_links')
        .set({ device_hash: use.deviceHash, expires_at: use.expiresAt })
        .where('token_hash', '=', use.tokenHash)
        .where('device_hash', 'is', null)
        .where('expires_at', '>', use.at)
        .where('expires_at', '<=', latestExpiry(use.at, LOCKOUT_LINK_LIFETIME_MS))
        .returning('email')
        .executeTakeFirst()
      return row?.email
    },

    /** The link that a browser opened for an address, while it is valid. */
    findOpenedIn: async (
      deviceHash: string,
      email: string,
      at: number,
    ): Promise<string | undefined> =>
      (
        await openedBy(database, {
          deviceHash,
          email,
          at,
          latest: latestExpiry(at, LOCKOUT_LINK_LIFETIME_MS),
        })
      )[0]?.token_hash,
  }
}
