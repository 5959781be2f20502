import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Pending changes of the e-mail address, confirmed with codes sent to both addresses. */
export const emailChanges: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('email_changes')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('identity_id', 'text', (column) => column.notNull().references('identities.id'))
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('current_code_mac', 'text', (column) => column.notNull())
      .addColumn('new_code_mac', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('completed_at', 'bigint')
      .execute()
    await schema
      .createIndex('email_changes_identity')
      .on('email_changes')
      .column('identity_id')
      .execute()
    await schema
      .createIndex('email_changes_expiry')
      .on('email_changes')
      .column('expires_at')
      .execute()
  },
}
