import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Indexes that contain the counts, so that a funnel of a year reads no rows. */
export const insightCovering: Migration = {
  async up(database: Kysely<unknown>) {
    for (const table of ['insight_hours', 'insight_days']) {
      await sql
        .raw(
          `create index ${table}_counts on ${table} (metric, starts_at, organization_code, label, device, count)`,
        )
        .execute(database)
    }
  },
}
