import { LOCKOUT_LINK_LIFETIME_MS } from '@portico/contracts/limits'
import { latestExpiry } from '../clock.ts'
import type { Database } from '../database/database.ts'

/** Mailed links. Each gives one browser its own attempt counter for one address. */
export function lockoutLinksStore(database: Database) {
  return {
    async insert(link: { tokenHash: string; email: string; expiresAt: number }): Promise<void> {
      await database
        .insertInto('lockoutLinks')
        .values({
          tokenHash: link.tokenHash,
          email: link.email,
          deviceHash: null,
          expiresAt: link.expiresAt,
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
        .updateTable('lockoutLinks')
        .set({ deviceHash: use.deviceHash, expiresAt: use.expiresAt })
        .where('tokenHash', '=', use.tokenHash)
        .where('deviceHash', 'is', null)
        .where('expiresAt', '>', use.at)
        .where('expiresAt', '<=', latestExpiry(use.at, LOCKOUT_LINK_LIFETIME_MS))
        .returning('email')
        .executeTakeFirst()
      return row?.email
    },

    /** The link that a browser opened for an address, while it is valid. */
    async findOpened(deviceHash: string, email: string, at: number): Promise<string | undefined> {
      const row = await database
        .selectFrom('lockoutLinks')
        .select('tokenHash')
        .where('deviceHash', '=', deviceHash)
        .where('email', '=', email)
        .where('expiresAt', '>', at)
        .where('expiresAt', '<=', latestExpiry(at, LOCKOUT_LINK_LIFETIME_MS))
        .executeTakeFirst()
      return row?.tokenHash
    },
  }
}
