import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** How a session was confirmed, and a version of the credentials that each change of them raises. */
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
