import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Short links to the mobile wallet. */
export const shortLinks: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('short_links')
      .addColumn('id_hash', 'text', (column) => column.primaryKey())
      .addColumn('wrapped', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema.createIndex('short_links_expiry').on('short_links').column('expires_at').execute()
  },
}
