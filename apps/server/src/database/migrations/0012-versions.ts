import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The versions of Portico that have used the database, so that an older one can name the newer one in its error. */
export const versions: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .createTable('portico_versions')
      .addColumn('version', 'text', (column) => column.primaryKey())
      .addColumn('first_used_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
