import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What was refused to directories, by kind: a kind is one row, so the table is bounded for each provider. */
export const directoryRefusals: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `create table directory_refusals (
    id text primary key,
    provider_id text not null,
    content text not null,
    refused bigint not null,
    last_at bigint not null
  )`,
  'create index directory_refusals_last_at on directory_refusals (last_at)',
]
