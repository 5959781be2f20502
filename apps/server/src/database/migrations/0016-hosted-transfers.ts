import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Transfers of hosted wallets that count towards limits, known recipients, and the proof of an approval. */
export const hostedTransfers: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema.alterTable('approvals').addColumn('proven_at', 'bigint').execute()

    await schema
      .createTable('known_recipients')
      .addColumn('identity_id', 'text', (column) => column.notNull().references('identities.id'))
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('known_recipients_key', ['identity_id', 'address'])
      .execute()

    await schema
      .createTable('unproven_transfers')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('identity_id', 'text', (column) => column.notNull().references('identities.id'))
      .addColumn('denom', 'text', (column) => column.notNull())
      // Text, because amounts on a chain exceed the database's integers.
      .addColumn('amount', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createIndex('unproven_transfers_identity')
      .on('unproven_transfers')
      .columns(['identity_id', 'created_at'])
      .execute()
    await schema
      .createIndex('unproven_transfers_created')
      .on('unproven_transfers')
      .column('created_at')
      .execute()
  },
}
