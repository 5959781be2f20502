import { SHORT_LINK_LIFETIME_MS } from '@portico/contracts/short-links'
import { latestExpiry } from '../clock.ts'
import type { Database } from '../database/database.ts'

/** Short links by the hash of their id, with the encrypted connection URI. */
export function shortLinksStore(database: Database) {
  return {
    async insert(link: { idHash: string; wrapped: string; expiresAt: number }): Promise<void> {
      await database
        .insertInto('shortLinks')
        .values({ idHash: link.idHash, wrapped: link.wrapped, expiresAt: link.expiresAt })
        .execute()
    },

    /** The encrypted connection URI of a link that has not expired. */
    async find(idHash: string, at: number): Promise<string | undefined> {
      const row = await database
        .selectFrom('shortLinks')
        .select('wrapped')
        .where('idHash', '=', idHash)
        .where('expiresAt', '>', at)
        .where('expiresAt', '<=', latestExpiry(at, SHORT_LINK_LIFETIME_MS))
        .executeTakeFirst()
      return row?.wrapped
    },
  }
}
