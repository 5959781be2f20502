import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The members of a named organization besides its controlling wallet, as JSON, and how many must agree. */
export const organizationMembers: Migration = {
  async up(database) {
    for (const column of [
      `members text not null default '[]'`,
      'threshold bigint not null default 1',
    ]) {
      await sql.raw(`alter table organization_drafts add column ${column}`).execute(database)
    }
  },
}
