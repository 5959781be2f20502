import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** With the used token itself, the salt yields its successor, for a client that repeats a refresh. */
export const refreshSuccessors: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`alter table openid_records add column successor_salt text`.execute(database)
  },
}
