import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Lockout links, and the number of wrong second-factor codes since the last success. */
export const lockout: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('lockout_links')
      .addColumn('token_hash', 'text', (column) => column.primaryKey())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('device_hash', 'text')
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createIndex('lockout_links_device')
      .on('lockout_links')
      .column('device_hash')
      .execute()
    await schema
      .createIndex('lockout_links_sweep')
      .on('lockout_links')
      .column('expires_at')
      .execute()

    await schema
      .createTable('wrong_codes')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('identity_id', 'text', (column) => column.notNull())
      .addColumn('count', 'integer', (column) => column.notNull())
      .execute()
    await schema
      .createIndex('wrong_codes_identity')
      .on('wrong_codes')
      .column('identity_id')
      .execute()
  },
}
