import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Sessions in which an operator views the pages of a person. */
export const impersonation: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  'alter table sessions add column operator_id text',
  'alter table sessions add column operator_session_id text',
  'create index sessions_operator_id on sessions (operator_id) where operator_id is not null',
]
