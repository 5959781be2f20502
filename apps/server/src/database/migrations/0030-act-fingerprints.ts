import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The same act waits for a second operator only once. */
export const actFingerprints: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  // Null for requests of an older version.
  'alter table act_requests add column fingerprint text',
  `create unique index act_requests_fingerprint on act_requests (fingerprint) where state = 'waiting'`,
]
