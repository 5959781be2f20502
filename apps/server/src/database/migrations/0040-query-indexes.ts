import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Indexes for statements that read whole tables, and the address to which the attempts of a network belong. */
export const queryIndexes: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
    const counters = await sql<{
      key: string
    }>`select key from attempts where key like 'network %'`.execute(database)
    for (const { key } of counters.rows) {
      const addressName = key.slice(key.indexOf(' address ') + 1)
      await sql`update attempts set address_name = ${addressName} where key = ${key}`.execute(
        database,
      )
    }
  },
}

const STATEMENTS = [
  'create index approvals_identity_id on approvals (identity_id, created_at)',
  'create index factor_codes_alias_id on factor_codes (alias_id)',
  'create index factor_logins_identity_id on factor_logins (identity_id)',
  'create index lockout_links_email on lockout_links (email)',
  'create index passcodes_email on passcodes (email, expires_at)',
  'create index passport_reviews_identity_id on passport_reviews (identity_id) where identity_id is not null',
  'create index provider_logins_provider_id on provider_logins (provider_id)',
  'create index provider_tests_provider_id on provider_tests (provider_id)',
  'create index wallet_owners_identity_id on wallet_owners (identity_id)',
  'create index act_requests_state on act_requests (state, expires_at)',
  // Null for other counters than those of a network at an address.
  'alter table attempts add column address_name text',
  'create index attempts_address_name on attempts (address_name) where address_name is not null',
]
