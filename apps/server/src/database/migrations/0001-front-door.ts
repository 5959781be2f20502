import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Identities, sessions, passcodes and their protection. */
export const frontDoor: Migration = {
  async up(database: Kysely<unknown>) {
    const { schema } = database

    await schema
      .createTable('identities')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('email', 'text', (column) => column.notNull().unique())
      .addColumn('organization_code', 'text', (column) => column.notNull())
      .addColumn('profile_type', 'text', (column) => column.notNull())
      .addColumn('password_hash', 'text')
      .addColumn('password_expired_at', 'bigint')
      .addColumn('locked_at', 'bigint')
      .addColumn('login_redirect', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute()

    await schema
      .createTable('aliases')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('identity_id', 'text', (column) => column.notNull().references('identities.id'))
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('verified_at', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema.createIndex('aliases_identity').on('aliases').column('identity_id').execute()

    await schema
      .createTable('registrations')
      .addColumn('email', 'text', (column) => column.primaryKey())
      .addColumn('organization_code', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()

    await schema
      .createTable('passcodes')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('code_mac', 'text', (column) => column.notNull())
      .addColumn('organization_code', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('redeemed_at', 'bigint')
      .execute()
    await schema.createIndex('passcodes_expiry').on('passcodes').column('expires_at').execute()

    await schema
      .createTable('sessions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('identity_id', 'text', (column) => column.notNull().references('identities.id'))
      .addColumn('secret_hash', 'text', (column) => column.notNull())
      .addColumn('method', 'text', (column) => column.notNull())
      .addColumn('organization_code', 'text', (column) => column.notNull())
      .addColumn('network', 'text', (column) => column.notNull())
      .addColumn('user_agent', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('ended_at', 'bigint')
      .execute()
    await schema.createIndex('sessions_identity').on('sessions').column('identity_id').execute()
    await schema.createIndex('sessions_expiry').on('sessions').column('expires_at').execute()

    await schema
      .createTable('devices')
      .addColumn('id_hash', 'text', (column) => column.notNull())
      .addColumn('identity_id', 'text', (column) => column.notNull().references('identities.id'))
      .addColumn('first_seen_at', 'bigint', (column) => column.notNull())
      .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('devices_key', ['identity_id', 'id_hash'])
      .execute()

    await schema
      .createTable('counters')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('window_started_at', 'bigint', (column) => column.notNull())
      .addColumn('count', 'bigint', (column) => column.notNull())
      .execute()

    await schema
      .createTable('guesses')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('window_started_at', 'bigint', (column) => column.notNull())
      .addColumn('made', 'bigint', (column) => column.notNull())
      .addColumn('wait_until', 'bigint', (column) => column.notNull())
      .addColumn('refused', 'bigint', (column) => column.notNull())
      .execute()

    await schema
      .createTable('single_uses')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()

    await schema
      .createTable('messages')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('recipient', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('sent_at', 'bigint')
      .addColumn('dropped_at', 'bigint')
      .addColumn('attempts', 'bigint', (column) => column.notNull())
      .addColumn('next_attempt_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createIndex('messages_recipient')
      .on('messages')
      .columns(['recipient', 'created_at'])
      .execute()
    await schema
      .createIndex('messages_due')
      .on('messages')
      .columns(['sent_at', 'dropped_at', 'next_attempt_at'])
      .execute()

    await schema
      .createTable('audit_events')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('identity_id', 'text')
      .addColumn('organization_code', 'text', (column) => column.notNull())
      .addColumn('network', 'text', (column) => column.notNull())
      .addColumn('details', 'text', (column) => column.notNull())
      .execute()
    await schema
      .createIndex('audit_events_identity')
      .on('audit_events')
      .columns(['identity_id', 'at'])
      .execute()

    await schema
      .createTable('signing_keys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('wrapped', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()

    await schema
      .createTable('borrower_query_params')
      .addColumn('identity_id', 'text', (column) => column.primaryKey().references('identities.id'))
      .addColumn('query_params', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
