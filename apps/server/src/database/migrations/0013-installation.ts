import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Whether the database belongs to a demonstration or to production. */
export const installation: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('installation')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('mode', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
