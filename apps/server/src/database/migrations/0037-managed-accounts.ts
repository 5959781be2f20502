import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Whether a provider manages any account is read with every login page on which an experiment hides the provider. */
export const managedAccounts: Migration = {
  async up(database: Kysely<unknown>) {
    await sql
      .raw(
        'create index provider_subjects_managed on provider_subjects (provider_id) where managed_at is not null',
      )
      .execute(database)
  },
}
