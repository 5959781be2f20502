import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The development chain, and drafts of organizations until their group exists. */
export const chain: Migration = {
  async up(database: Kysely<unknown>) {
    const { schema } = database

    await schema
      .createTable('chain_state')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('height', 'bigint', (column) => column.notNull())
      .addColumn('accounts', 'bigint', (column) => column.notNull())
      .addColumn('groups', 'bigint', (column) => column.notNull())
      .addColumn('policies', 'bigint', (column) => column.notNull())
      .addColumn('proposals', 'bigint', (column) => column.notNull())
      .execute()
    await (database as Kysely<{ chain_state: Record<string, number> }>)
      .insertInto('chain_state')
      .values({ id: 1, height: 1, accounts: 0, groups: 0, policies: 0, proposals: 0 })
      .execute()

    await schema
      .createTable('chain_accounts')
      .addColumn('address', 'text', (column) => column.primaryKey())
      .addColumn('number', 'bigint', (column) => column.notNull().unique())
      .addColumn('sequence', 'bigint', (column) => column.notNull())
      .addColumn('public_key', 'text')
      .execute()

    await schema
      .createTable('chain_balances')
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('denom', 'text', (column) => column.notNull())
      .addColumn('amount', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('chain_balances_key', ['address', 'denom'])
      .execute()

    await schema
      .createTable('chain_groups')
      .addColumn('id', 'bigint', (column) => column.primaryKey())
      .addColumn('admin', 'text', (column) => column.notNull())
      .addColumn('metadata', 'text', (column) => column.notNull())
      .addColumn('total_weight', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()

    await schema
      .createTable('chain_group_members')
      .addColumn('group_id', 'bigint', (column) => column.notNull().references('chain_groups.id'))
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('weight', 'text', (column) => column.notNull())
      .addColumn('metadata', 'text', (column) => column.notNull())
      .addColumn('added_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('chain_group_members_key', ['group_id', 'address'])
      .execute()
    await schema
      .createIndex('chain_group_members_address')
      .on('chain_group_members')
      .column('address')
      .execute()

    await schema
      .createTable('chain_group_policies')
      .addColumn('address', 'text', (column) => column.primaryKey())
      .addColumn('group_id', 'bigint', (column) => column.notNull().references('chain_groups.id'))
      .addColumn('admin', 'text', (column) => column.notNull())
      .addColumn('metadata', 'text', (column) => column.notNull())
      .addColumn('decision_policy', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createIndex('chain_group_policies_group')
      .on('chain_group_policies')
      .column('group_id')
      .execute()

    await schema
      .createTable('chain_transactions')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('height', 'bigint', (column) => column.notNull())
      .addColumn('bytes', 'text', (column) => column.notNull())
      .addColumn('result', 'text', (column) => column.notNull())
      .execute()

    await schema
      .createTable('organization_drafts')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('identity_id', 'text', (column) => column.notNull().references('identities.id'))
      .addColumn('wallet_address', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('account_address', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createIndex('organization_drafts_identity')
      .on('organization_drafts')
      .columns(['identity_id', 'wallet_address'])
      .execute()
    await schema
      .createIndex('organization_drafts_expiry')
      .on('organization_drafts')
      .column('expires_at')
      .execute()
  },
}
