import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The queue of notices to the lender's applications that a session has ended, and what it is filled from. */
export const openidLogouts: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  'alter table openid_authorizations add column ended_at bigint',
  `create index openid_authorizations_notices on openid_authorizations (logout_due_at)
    where ended_at is not null`,
  'drop index openid_authorizations_logout_due_at',
  'create index sessions_ended_at on sessions (ended_at) where ended_at is not null',
  'create index identities_locked_at on identities (locked_at) where locked_at is not null',
]
