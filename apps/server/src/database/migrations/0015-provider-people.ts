import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The names of people at identity providers, and the issuer with which a login began. */
export const providerPeople: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  'alter table provider_subjects add column given_name text',
  'alter table provider_subjects add column family_name text',
  'alter table provider_logins add column issuer text',
]
