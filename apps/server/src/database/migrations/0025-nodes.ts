import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The nodes that run. */
export const nodes: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `create table nodes (
    id text primary key,
    version text not null,
    started_at bigint not null,
    seen_at bigint not null
  )`,
  'create index nodes_seen_at on nodes (seen_at)',
]
