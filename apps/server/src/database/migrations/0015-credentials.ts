import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** How a session was confirmed, and a version that each change of credentials increments. */
export const credentials: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema.alterTable('sessions').addColumn('confirmed_by', 'text').execute()
    for (const table of ['identities', 'factor_logins']) {
      await schema
        .alterTable(table)
        .addColumn('credential_version', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
    }
  },
}
