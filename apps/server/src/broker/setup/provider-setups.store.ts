import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { ProviderSetupsTable } from '../../database/tables.ts'

export type SetupRow = Selectable<ProviderSetupsTable>

/** Provider settings that administrators are working on. */
export function providerSetupsStore(database: Database) {
  return {
    find: (providerId: string): Promise<SetupRow | undefined> =>
      database
        .selectFrom('providerSetups')
        .selectAll()
        .where('providerId', '=', providerId)
        .executeTakeFirst(),

    /** Adds a setup, unless the provider has one. */
    async insert(setup: Insertable<ProviderSetupsTable>): Promise<void> {
      await database
        .insertInto('providerSetups')
        .values(setup)
        .onConflict((conflict) => conflict.column('providerId').doNothing())
        .execute()
    },

    /**
     * Changes a setup if it is still at the version. Of concurrent changes to one version, exactly one returns the new row.
     */
    update: (
      seen: { providerId: string; version: number },
      change: Partial<Omit<ProviderSetupsTable, 'providerId'>>,
    ): Promise<SetupRow | undefined> =>
      database
        .updateTable('providerSetups')
        .set(change)
        .where('providerId', '=', seen.providerId)
        .where('version', '=', seen.version)
        .returningAll()
        .executeTakeFirst(),

    /** Records that the settings of a provider are no longer in use. */
    async updateUnapplied(providerId: string): Promise<void> {
      await database
        .updateTable('providerSetups')
        .set({ appliedVersion: null })
        .where('providerId', '=', providerId)
        .execute()
    },
  }
}
