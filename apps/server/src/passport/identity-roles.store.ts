import type { Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'

type IdentityRole = Selectable<Tables['identityRoles']>

/** What identities may do besides using their own accounts. */
export function identityRolesStore(database: Database) {
  return {
    async has(identityId: string, role: IdentityRole['role']): Promise<boolean> {
      const row = await database
        .selectFrom('identityRoles')
        .select('identityId')
        .where('identityId', '=', identityId)
        .where('role', '=', role)
        .executeTakeFirst()
      return row !== undefined
    },

    async insert(role: IdentityRole): Promise<void> {
      await database.insertInto('identityRoles').values(role).execute()
    },
  }
}
