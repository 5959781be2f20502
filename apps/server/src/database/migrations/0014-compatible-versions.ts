import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The oldest version that still works on the schema of each version that has used the database. */
export const compatibleVersions: Migration = {
  async up(database) {
    await sql.raw('alter table portico_versions add column compatible_from text').execute(database)
  },
}
