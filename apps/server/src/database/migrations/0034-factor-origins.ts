import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When and in which session a factor was added, and by what proof. Unknown for factors from before. */
export const factorOrigins: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  'alter table identities add column password_set_at bigint',
  'alter table identities add column password_set_in text',
  'alter table identities add column password_proved_by text',
  'alter table identities add column email_changed_at bigint',
  'alter table identities add column email_changed_in text',
  ...['aliases', 'passkeys', 'totp', 'security_answers', 'recovery_codes'].flatMap((table) => [
    `alter table ${table} add column added_in text`,
    `alter table ${table} add column proved_by text`,
  ]),
  // The second step of a login at an identity provider, which completes the login.
  'alter table provider_logins add column factor_login_id text',
  'create index provider_logins_factor_login_id on provider_logins (factor_login_id) where factor_login_id is not null',
]
