import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The order of the pages in which directories read their groups. Users have this index already. */
export const directoryGroupPages: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`create index directory_groups_created_at
      on directory_groups (provider_id, created_at, id)`.execute(database)
  },
}
