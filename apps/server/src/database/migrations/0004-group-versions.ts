import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The version of an account's group on the chain that its authorizations were last taken from. */
export const groupVersions: Migration = {
  async up(database) {
    await sql
      .raw('alter table accounts add column group_version bigint not null default 0')
      .execute(database)
  },
}
