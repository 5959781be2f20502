import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The person who reached an outcome of an experiment. Null for outcomes from before, and once the account is deleted. */
export const outcomesOfIdentities: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  'alter table experiment_outcomes add column identity_id text',
  `create unique index experiment_outcomes_identity_id
    on experiment_outcomes (identity_id, run_id, outcome) where identity_id is not null`,
]
