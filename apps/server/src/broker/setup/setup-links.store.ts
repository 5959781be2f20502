import { SETUP_LINK_LIFETIME_MS, SETUP_SESSION_LIFETIME_MS } from '@portico/contracts/limits'
import type { Selectable } from 'kysely'
import { latestExpiry } from '../../clock.ts'
import type { Database } from '../../database/database.ts'
import type { SetupLinksTable } from '../../database/tables.ts'

export type SetupLinkRow = Selectable<SetupLinksTable>

/** Mailed links to set up providers, and the browsers that opened them. */
export function setupLinksStore(database: Database) {
  return {
    async insert(link: Omit<SetupLinksTable, 'sessionHash'>): Promise<void> {
      await database
        .insertInto('setupLinks')
        .values({ ...link, sessionHash: null })
        .execute()
    },

    /** Consumes a link for a browser. Of concurrent calls, exactly one returns it. */
    consume: (use: {
      tokenHash: string
      organizationCode: string
      sessionHash: string
      at: number
      expiresAt: number
    }): Promise<SetupLinkRow | undefined> =>
      database
        .updateTable('setupLinks')
        .set({ sessionHash: use.sessionHash, expiresAt: use.expiresAt })
        .where('tokenHash', '=', use.tokenHash)
        .where('sessionHash', 'is', null)
        .where('expiresAt', '>', use.at)
        .where('expiresAt', '<=', latestExpiry(use.at, SETUP_LINK_LIFETIME_MS))
        // A link for another organization is not consumed at this one's page.
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('identityProviders')
              .select('identityProviders.id')
              .whereRef('identityProviders.id', '=', 'setupLinks.providerId')
              .where('identityProviders.organizationCode', '=', use.organizationCode),
          ),
        )
        .returningAll()
        .executeTakeFirst(),

    /** The link that a browser opened, while its session lasts. */
    findOpened: (sessionHash: string, at: number): Promise<SetupLinkRow | undefined> =>
      database
        .selectFrom('setupLinks')
        .selectAll()
        .where('sessionHash', '=', sessionHash)
        .where('expiresAt', '>', at)
        .where('expiresAt', '<=', latestExpiry(at, SETUP_SESSION_LIFETIME_MS))
        .executeTakeFirst(),

    /** Ends a provider's links and the sessions of the browsers that opened them. Returns whether there were any. */
    async end(providerId: string, at: number): Promise<boolean> {
      const rows = await database
        .updateTable('setupLinks')
        .set({ expiresAt: at })
        .where('providerId', '=', providerId)
        .where('expiresAt', '>', at)
        .returning('tokenHash')
        .execute()
      return rows.length > 0
    },

    /** The address that a provider's newest link was mailed to. */
    async findAdministrator(providerId: string): Promise<string | undefined> {
      const row = await database
        .selectFrom('setupLinks')
        .select('email')
        .where('providerId', '=', providerId)
        .orderBy('createdAt', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.email
    },
  }
}
