import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** An upper bound of the number of people in a provider's directory, because counting them with every new one would be slow. */
export const directoryLimits: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  'alter table identity_providers add column directory_user_count bigint not null default 0',
  `update identity_providers set directory_user_count = (
    select count(*) from directory_users where directory_users.provider_id = identity_providers.id)`,
]
