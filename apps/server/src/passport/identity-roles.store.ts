import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'

type IdentityRole = Selectable<Tables['identityRoles']>
type Granted = Omit<IdentityRole, 'createdAt'>

/** What identities may do for organizations besides using their own accounts. */
export function identityRolesStore(database: Database) {
  return {
    async has({ identityId, role, organizationCode }: Granted): Promise<boolean> {
      const row = await database
        .selectFrom('identityRoles')
        .select('identityId')
        .where('identityId', '=', identityId)
        .where('role', '=', role)
        .where('organizationCode', '=', organizationCode)
        .executeTakeFirst()
      return row !== undefined
    },

    /** The codes of the organizations that an identity has a role for. */
    async listOrganizations(identityId: string, role: IdentityRole['role']): Promise<string[]> {
      const rows = await database
        .selectFrom('identityRoles')
        .select('organizationCode')
        .where('identityId', '=', identityId)
        .where('role', '=', role)
        .orderBy('organizationCode')
        .execute()
      return rows.map(({ organizationCode }) => organizationCode)
    },

    /** All roles with the addresses of those who have them. */
    list: () =>
      database
        .selectFrom('identityRoles')
        .innerJoin('identities', 'identities.id', 'identityRoles.identityId')
        .select(['email', 'role', 'identityRoles.organizationCode'])
        .orderBy('email')
        .orderBy('identityRoles.organizationCode')
        .execute(),

    /** Returns whether the role is new. */
    async insert(role: Insertable<Tables['identityRoles']>): Promise<boolean> {
      const row = await database
        .insertInto('identityRoles')
        .values(role)
        .onConflict((conflict) => conflict.doNothing())
        .returning('identityId')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Returns whether the identity had the role. */
    async delete({ identityId, role, organizationCode }: Granted): Promise<boolean> {
      const row = await database
        .deleteFrom('identityRoles')
        .where('identityId', '=', identityId)
        .where('role', '=', role)
        .where('organizationCode', '=', organizationCode)
        .returning('identityId')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
