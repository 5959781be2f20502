import { ALL_ORGANIZATIONS, type OperatorRole } from '@portico/contracts/admin/permissions'
import type { Grant, Scope } from '@portico/rules/operator-permissions'
import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { isLockedByDirectory } from '../../scim/scim.ts'
import { inScope } from '../scope.ts'

type IdentityRole = Selectable<Tables['identityRoles']>

/** Operators' roles. */
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

    /** All roles, with the email address of each account. */
    async list() {
      const rows = await database
        .selectFrom('identityRoles')
        .innerJoin('identities', 'identities.id', 'identityRoles.identityId')
        .select(['email', 'role', 'identityRoles.organizationCode'])
        .execute()
      // Sorted here: for this order, the databases would read the addresses of all people.
      return rows.toSorted((one, other) => {
        const column = (['email', 'role', 'organizationCode'] as const).find(
          (each) => one[each] !== other[each],
        )
        return column === undefined ? 0 : one[column] < other[column] ? -1 : 1
      })
    },

    /**
     * The grants of the given roles, with the addresses and organizations of the accounts that hold them and are not locked.
     */
    listGrantsOf: (roles: readonly OperatorRole[]) =>
      database
        .selectFrom('identityRoles')
        .innerJoin('identities', 'identities.id', 'identityRoles.identityId')
        .select([
          'identityId',
          'email',
          'identities.organizationCode as ownOrganizationCode',
          'identityRoles.organizationCode',
        ])
        .where('role', 'in', roles)
        .where('lockedAt', 'is', null)
        .where(({ not }) => not(isLockedByDirectory('identities.id')))
        .execute(),

    /** A page of accounts with roles in the scope, with these roles, ordered by email address. */
    async listOperators({
      scope,
      after,
      limit,
    }: {
      readonly scope: Scope
      readonly after: string
      readonly limit: number
    }) {
      const people = await database
        .selectFrom('identities')
        .select(['id', 'email'])
        .where('email', '>', after)
        .where('id', 'in', ({ selectFrom }) =>
          selectFrom('identityRoles')
            .select('identityId')
            .where(inScope(scope, 'identityRoles.organizationCode')),
        )
        .orderBy('email')
        .limit(limit)
        .execute()
      if (people.length === 0) return []
      const roles = await database
        .selectFrom('identityRoles')
        .select(['identityId', 'role', 'organizationCode'])
        .where(
          'identityId',
          'in',
          people.map(({ id }) => id),
        )
        .where(inScope(scope, 'organizationCode'))
        .orderBy('role')
        .orderBy('organizationCode')
        .execute()
      return people.map(({ id, email }) => ({
        identityUuid: id,
        email,
        roles: roles
          .filter(({ identityId }) => identityId === id)
          .map(({ role, organizationCode }) => ({ role, organizationCode })),
      }))
    },

    /** Prevents other transactions from revoking administrators until this one ends. */
    async lockAdministrators(at: number): Promise<void> {
      await database
        .insertInto('counters')
        .values({ key: 'administrators', windowStartedAt: at, count: 1 })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ windowStartedAt: at }))
        .execute()
    },

    /** Whether any administrator of all organizations exists. */
    async hasAdministrator(): Promise<boolean> {
      const row = await database
        .selectFrom('identityRoles')
        .select('identityId')
        .where('role', '=', 'admin')
        .where('organizationCode', '=', ALL_ORGANIZATIONS)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    /** Returns `false` if the identity already had the role. */
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
