import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Second factors, logins that wait for one, and recovery. */
export const secondFactors: Migration = {
  async up(database: Kysely<unknown>) {
    const { schema } = database

    await schema.alterTable('identities').addColumn('email_factor_at', 'bigint').execute()
    await schema.alterTable('devices').addColumn('trusted_until', 'bigint').execute()
    await schema.alterTable('sessions').addColumn('second_method', 'text').execute()
    await schema.alterTable('sessions').addColumn('confirmed_at', 'bigint').execute()

    await schema
      .createTable('factor_logins')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('identity_id', 'text', (column) => column.notNull().references('identities.id'))
      .addColumn('method', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('completed_at', 'bigint')
      .execute()
    await schema
      .createIndex('factor_logins_expiry')
      .on('factor_logins')
      .column('expires_at')
      .execute()

    await schema
      .createTable('factor_codes')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('purpose_id', 'text', (column) => column.notNull())
      .addColumn('alias_id', 'text', (column) => column.notNull())
      .addColumn('code_mac', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('redeemed_at', 'bigint')
      .execute()
    await schema
      .createIndex('factor_codes_purpose')
      .on('factor_codes')
      .column('purpose_id')
      .execute()
    await schema
      .createIndex('factor_codes_expiry')
      .on('factor_codes')
      .column('expires_at')
      .execute()

    await schema
      .createTable('totp')
      .addColumn('identity_id', 'text', (column) => column.primaryKey().references('identities.id'))
      .addColumn('secret', 'text')
      .addColumn('pending_secret', 'text')
      .addColumn('confirmed_at', 'bigint')
      .addColumn('last_step', 'bigint', (column) => column.notNull())
      .execute()

    await schema
      .createTable('security_answers')
      .addColumn('identity_id', 'text', (column) => column.notNull().references('identities.id'))
      .addColumn('question_id', 'text', (column) => column.notNull())
      .addColumn('position', 'bigint', (column) => column.notNull())
      .addColumn('answer_hash', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('security_answers_key', ['identity_id', 'question_id'])
      .execute()

    await schema
      .createTable('recovery_codes')
      .addColumn('identity_id', 'text', (column) => column.notNull().references('identities.id'))
      .addColumn('code_hash', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('used_at', 'bigint')
      .addPrimaryKeyConstraint('recovery_codes_key', ['identity_id', 'code_hash'])
      .execute()

    await schema
      .createTable('passkeys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('identity_id', 'text', (column) => column.notNull().references('identities.id'))
      .addColumn('credential_id', 'text', (column) => column.notNull().unique())
      .addColumn('public_key', 'text', (column) => column.notNull())
      .addColumn('counter', 'bigint', (column) => column.notNull())
      .addColumn('transports', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint')
      .execute()
    await schema.createIndex('passkeys_identity').on('passkeys').column('identity_id').execute()

    await schema
      .createTable('passkey_challenges')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('purpose', 'text', (column) => column.notNull())
      .addColumn('challenge', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createIndex('passkey_challenges_expiry')
      .on('passkey_challenges')
      .column('expires_at')
      .execute()
  },
}
