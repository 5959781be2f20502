import type { Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { PassportsTable } from '../database/tables.ts'

export type PassportRow = Selectable<PassportsTable>

/** Investor passports. */
export function passportsStore(database: Database) {
  return {
    /** Adds a passport unless its account has one. Returns whether it is new. */
    async insert(passport: PassportRow): Promise<boolean> {
      const row = await database
        .insertInto('passports')
        .values(passport)
        .onConflict((conflict) => conflict.column('ownerWalletAddress').doNothing())
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    find: (id: string): Promise<PassportRow | undefined> =>
      database.selectFrom('passports').selectAll().where('id', '=', id).executeTakeFirst(),

    findByOwner: (ownerWalletAddress: string): Promise<PassportRow | undefined> =>
      database
        .selectFrom('passports')
        .selectAll()
        .where('ownerWalletAddress', '=', ownerWalletAddress)
        .executeTakeFirst(),

    /** Locks the passport, so that changes to its sections and members are serialized. */
    findForUpdate: (id: string): Promise<PassportRow | undefined> =>
      database
        .updateTable('passports')
        .set(({ ref }) => ({ createdAt: ref('createdAt') }))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst(),

    /** The passports that an identity created or joined, oldest first. */
    listByIdentity: (identityId: string): Promise<PassportRow[]> =>
      database
        .selectFrom('passports')
        .selectAll()
        // Each part uses an index; for a condition with `or`, PostgreSQL would scan every passport.
        .where('id', 'in', ({ selectFrom }) =>
          selectFrom('passports as created')
            .select('created.id')
            .where('created.creatorId', '=', identityId)
            .unionAll(
              selectFrom('passportMembers')
                .select('passportId as id')
                .where('identityId', '=', identityId),
            ),
        )
        .orderBy('createdAt')
        .orderBy('id')
        .execute(),
  }
}
