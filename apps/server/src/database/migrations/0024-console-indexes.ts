import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Indexes for what the console reads among millions of rows. */
export const consoleIndexes: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  // They contain the counts, so that a funnel of a year reads no rows.
  'create index insight_hours_counts on insight_hours (metric, starts_at, organization_code, label, device, count)',
  'create index insight_days_counts on insight_days (metric, starts_at, organization_code, label, device, count)',
  `create index audit_events_operator_id_kind on audit_events (operator_id, kind, created_at, id)
    where operator_id is not null`,
]
