import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Borrowers referred to an organization by a partner. */
export const inquiries: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('inquiries')
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('organization_code', 'text', (column) => column.notNull())
      .addColumn('welcomed_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('inquiries_key', ['email', 'organization_code'])
      .execute()
    await schema.createIndex('inquiries_expiry').on('inquiries').column('expires_at').execute()
  },
}
