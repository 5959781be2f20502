import type { Permission } from '@portico/contracts/admin/permissions'
import { scopeOfCodes } from '@portico/rules/operator-permissions'
import type { Selectable } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { sha256 } from '../../secrets/hashes.ts'
import { type Cursor, isAfter } from '../keyset.ts'

type Row = Selectable<Tables['serviceTokens']>

export interface ServiceToken extends Omit<Row, 'organizationCodes' | 'permissions' | 'tokenHash'> {
  readonly permissions: readonly Permission[]
  /** Includes `*` for all organizations. */
  readonly organizationCodes: readonly string[]
}

const LAST_USE_ACCURACY_MS = 60_000

/** Tokens that programs use to call the admin API. */
export function serviceTokensStore(database: Database) {
  return {
    /** Returns a valid token and records its use. */
    async use(tokenHash: string, at: number): Promise<ServiceToken | undefined> {
      const row = await database
        .selectFrom('serviceTokens')
        .selectAll()
        .where('tokenHash', '=', tokenHash)
        .where('expiresAt', '>', at)
        .where('revokedAt', 'is', null)
        .executeTakeFirst()
      if (row === undefined) return undefined
      if (row.lastUsedAt === null || at - row.lastUsedAt > LAST_USE_ACCURACY_MS) {
        await database
          .updateTable('serviceTokens')
          .set({ lastUsedAt: at })
          .where('id', '=', row.id)
          .execute()
      }
      return tokenOf(row)
    },

    /**
     * Counts the valid tokens with a name for the same organizations, and locks the name for these organizations until the
     * transaction ends.
     */
    async countValidForUpdate(
      { name, organizationCodes }: Pick<ServiceToken, 'name' | 'organizationCodes'>,
      at: number,
    ): Promise<number> {
      const scope = scopeKey(organizationCodes)
      // Ensures a row to lock, even if the name has no tokens yet. Hashed, because a token can have hundreds of organizations.
      const key = `service token ${sha256(`${scope} ${name}`)}`
      await database
        .insertInto('counters')
        .values({ key, windowStartedAt: at, count: 1 })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ windowStartedAt: at }))
        .execute()
      const rows = await database
        .selectFrom('serviceTokens')
        .selectAll()
        .where('name', '=', name)
        .where('expiresAt', '>', at)
        .where('revokedAt', 'is', null)
        .execute()
      return rows.map(tokenOf).filter((token) => scopeKey(token.organizationCodes) === scope).length
    },

    async insert(
      token: Pick<ServiceToken, 'organizationCodes' | 'permissions'> &
        Pick<Row, 'createdAt' | 'createdBy' | 'expiresAt' | 'id' | 'name' | 'tokenHash'>,
    ): Promise<void> {
      await database
        .insertInto('serviceTokens')
        .values({
          ...token,
          permissions: JSON.stringify(token.permissions),
          organizationCodes: JSON.stringify(token.organizationCodes),
          lastUsedAt: null,
          revokedAt: null,
        })
        .execute()
    },

    /** Tokens after a cursor, newest first. */
    async list({
      after,
      limit,
    }: {
      readonly after: Cursor | undefined
      readonly limit: number
    }): Promise<ServiceToken[]> {
      const rows = await database
        .selectFrom('serviceTokens')
        .selectAll()
        .where(isAfter(after))
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(tokenOf)
    },

    async find(id: string): Promise<ServiceToken | undefined> {
      const row = await database
        .selectFrom('serviceTokens')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst()
      return row && tokenOf(row)
    },

    /** Returns `false` if it was already revoked. */
    async updateRevoked(id: string, at: number): Promise<boolean> {
      const row = await database
        .updateTable('serviceTokens')
        .set({ revokedAt: at })
        .where('id', '=', id)
        .where('revokedAt', 'is', null)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}

/** The same for the same organizations in any order. */
const scopeKey = (organizationCodes: readonly string[]) =>
  JSON.stringify(scopeOfCodes(organizationCodes))

/** Only this module writes these columns. */
function tokenOf({ permissions, organizationCodes, ...row }: Row): ServiceToken {
  return {
    ...row,
    permissions: JSON.parse(permissions) as Permission[],
    organizationCodes: JSON.parse(organizationCodes) as string[],
  }
}
