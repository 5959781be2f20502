import type { Permission } from '@portico/contracts/admin/permissions'
import type { Selectable } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'

type Row = Selectable<Tables['serviceTokens']>

export interface ServiceToken extends Omit<Row, 'organizationCodes' | 'permissions' | 'tokenHash'> {
  readonly permissions: readonly Permission[]
  /** Includes `*` for all organizations. */
  readonly organizationCodes: readonly string[]
}

const LAST_USE_ACCURACY_MS = 60_000

/** The tokens with which programs call the admin API. */
export function serviceTokensStore(database: Database) {
  return {
    /** The token if it is valid. Records the use. */
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
  }
}

/** The columns hold what this module wrote. */
function tokenOf({ tokenHash: _, permissions, organizationCodes, ...row }: Row): ServiceToken {
  return {
    ...row,
    permissions: JSON.parse(permissions) as Permission[],
    organizationCodes: JSON.parse(organizationCodes) as string[],
  }
}
