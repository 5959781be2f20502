import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What nodes report of themselves, and how often rate limits refused requests. */
export const nodeState: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  // Null for nodes of an older version, which report none.
  'alter table nodes add column state text',
  `create table rate_limit_refusals (
    hour bigint not null,
    limit_name text not null,
    refused bigint not null,
    primary key (hour, limit_name)
  )`,
]
