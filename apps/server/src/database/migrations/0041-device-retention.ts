import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The index by which housekeeping finds browsers that have not been seen for long. */
export const deviceRetention: Migration = {
  async up(database) {
    await sql.raw('create index devices_last_seen_at on devices (last_seen_at)').execute(database)
  },
}
