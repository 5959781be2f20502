import type { OperatorRole } from '@portico/contracts/admin/permissions'
import type { Grant } from '@portico/rules/operator-permissions'
import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'

type IdentityRole = Selectable<Tables['identityRoles']>

/** The roles of operators. */
export function identityRolesStore(database: Database) {
  return {
    listGrants: (identityId: string): Promise<Grant[]> =>
      database
        .selectFrom('identityRoles')
        .select(['role', 'organizationCode'])
        .where('identityId', '=', identityId)
        .orderBy('role')
        .orderBy('organizationCode')
        .execute(),

    /** All roles with the addresses of those who have them. */
    list: () =>
      database
        .selectFrom('identityRoles')
        .innerJoin('identities', 'identities.id', 'identityRoles.identityId')
        .select(['email', 'role', 'identityRoles.organizationCode'])
        .orderBy('email')
        .orderBy('role')
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
    async delete({
      identityId,
      role,
      organizationCode,
    }: Pick<IdentityRole, 'identityId' | 'organizationCode'> & {
      readonly role: OperatorRole
    }): Promise<boolean> {
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
