import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When a mailed code proved an account's address. Until then the address is only an assertion of a provider or an import. */
export const verifiedAddresses: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  'alter table identities add column email_verified_at bigint',
  // A change of the address was confirmed with a code mailed to the new one, in every account.
  'update identities set email_verified_at = email_changed_at where email_changed_at is not null',
  // A registration proved the address. Whether accounts of providers and imports ever redeemed a code was not stored.
  `update identities set email_verified_at = created_at
    where email_verified_at is null
      and not exists (
        select 1 from provider_subjects
        where provider_subjects.identity_id = identities.id and managed_at is not null
      )
      and not exists (
        select 1 from audit_events
        where audit_events.identity_id = identities.id and kind = 'imported'
      )`,
]
