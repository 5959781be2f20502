import type { Insertable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { DirectoryTokensTable } from '../database/tables.ts'

const MINUTE_MS = 60 * 1000

/** Directories' SCIM tokens. */
export function directoryTokensStore(database: Database) {
  return {
    insert: (token: Insertable<DirectoryTokensTable>) =>
      database.insertInto('directoryTokens').values(token).execute(),

    /** A provider's tokens, newest first. */
    list: (providerId: string) =>
      database
        .selectFrom('directoryTokens')
        .select(['id', 'createdAt', 'expiresAt', 'lastUsedAt'])
        .where('providerId', '=', providerId)
        .orderBy('createdAt', 'desc')
        .orderBy('id')
        .execute(),

    /** The provider of a token that has not expired. */
    find: (tokenHash: string, at: number) =>
      database
        .selectFrom('directoryTokens')
        .innerJoin('identityProviders', 'identityProviders.id', 'directoryTokens.providerId')
        .select([
          'directoryTokens.id as tokenId',
          'directoryTokens.lastUsedAt',
          'identityProviders.id',
          'identityProviders.organizationCode',
        ])
        .where('tokenHash', '=', tokenHash)
        .where(({ eb, or }) => or([eb('expiresAt', 'is', null), eb('expiresAt', '>', at)]))
        .executeTakeFirst(),

    /** The organization of a token, even if it has expired. */
    findOrganization: async (tokenHash: string): Promise<string | undefined> =>
      (
        await database
          .selectFrom('directoryTokens')
          .innerJoin('identityProviders', 'identityProviders.id', 'directoryTokens.providerId')
          .select('identityProviders.organizationCode')
          .where('tokenHash', '=', tokenHash)
          .executeTakeFirst()
      )?.organizationCode,

    /** Records a use, at most once a minute. */
    async updateUsed({ id, lastUsedAt }: { id: string; lastUsedAt: number | null }, at: number) {
      if (lastUsedAt !== null && Math.abs(at - lastUsedAt) < MINUTE_MS) return
      await database
        .updateTable('directoryTokens')
        .set({ lastUsedAt: at })
        .where('id', '=', id)
        .execute()
    },

    /** Returns whether there were any. */
    async delete(providerId: string, ids: readonly string[]): Promise<boolean> {
      if (ids.length === 0) return false
      const rows = await database
        .deleteFrom('directoryTokens')
        .where('providerId', '=', providerId)
        .where('id', 'in', ids)
        .returning('id')
        .execute()
      return rows.length > 0
    },
  }
}
