import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Wallets, the accounts they sign for, hosted keys and approvals. */
export const wallets: Migration = {
  async up(database: Kysely<unknown>) {
    const { schema } = database

    await schema.alterTable('sessions').addColumn('wallet_address', 'text').execute()
    await schema.alterTable('sessions').addColumn('group_policy_address', 'text').execute()

    await schema
      .createTable('wallets')
      .addColumn('identity_id', 'text', (column) => column.notNull().references('identities.id'))
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('default_at', 'bigint')
      .addColumn('converted_at', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('wallets_key', ['identity_id', 'address'])
      .execute()

    await schema
      .createTable('wallet_holders')
      .addColumn('address', 'text', (column) => column.primaryKey())
      .addColumn('identity_id', 'text', (column) => column.notNull().references('identities.id'))
      .addColumn('verified_at', 'bigint', (column) => column.notNull())
      .execute()

    await schema
      .createTable('accounts')
      .addColumn('address', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()

    await schema
      .createTable('authorizations')
      .addColumn('wallet_address', 'text', (column) => column.notNull())
      .addColumn('account_address', 'text', (column) =>
        column.notNull().references('accounts.address'),
      )
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('authorizations_key', ['wallet_address', 'account_address'])
      .execute()

    await schema
      .createTable('hosted_keys')
      .addColumn('address', 'text', (column) => column.primaryKey())
      .addColumn('public_key', 'text', (column) => column.notNull())
      .addColumn('wrapped', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()

    await schema
      .createTable('wallet_nonces')
      .addColumn('nonce', 'text', (column) => column.primaryKey())
      .addColumn('session_id', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createIndex('wallet_nonces_session')
      .on('wallet_nonces')
      .columns(['session_id', 'expires_at'])
      .execute()
    await schema
      .createIndex('wallet_nonces_expiry')
      .on('wallet_nonces')
      .column('expires_at')
      .execute()

    await schema
      .createTable('approvals')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('session_id', 'text', (column) => column.notNull())
      .addColumn('identity_id', 'text', (column) => column.notNull().references('identities.id'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('group_address', 'text')
      .addColumn('origin', 'text', (column) => column.notNull())
      .addColumn('bytes', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('decided_at', 'bigint')
      .execute()
    await schema.createIndex('approvals_expiry').on('approvals').column('expires_at').execute()
  },
}
