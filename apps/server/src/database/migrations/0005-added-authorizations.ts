import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Records when others added a wallet to their organization. */
export const addedAuthorizations: Migration = {
  async up(database) {
    await sql.raw('alter table authorizations add column added_at bigint').execute(database)
  },
}
