import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Indexes for finding people by the beginning of a part of their address or name. They index expressions, so that earlier
 * versions, which run beside this one during an upgrade, keep them up to date too. PostgreSQL compares texts in the order of
 * the database's language otherwise, in which a beginning is no range.
 */
export const peopleSearch: Migration = {
  async up(database: Kysely<unknown>) {
    const isPostgres = database.getExecutor().adapter instanceof PostgresAdapter
    const statements = isPostgres ? POSTGRES_STATEMENTS : SQLITE_STATEMENTS
    for (const statement of statements) await sql.raw(statement).execute(database)
  },
}

const FULL_NAME = `lower(coalesce(given_name || ' ', '') || coalesce(family_name, ''))`

const POSTGRES_STATEMENTS = [
  'create index identities_address on identities (email collate "C")',
  `create index identities_address_second_word on identities
    (substr(email, strpos(translate(substr(email, 1, strpos(email, '@')), '_+-', '...'), '.') + 1) collate "C")`,
  `create index identities_address_domain on identities (substr(email, strpos(email, '@')) collate "C")`,
  `create index identities_full_name on identities ((${FULL_NAME}) collate "C")`,
  'create index identities_family_name on identities (lower(family_name) collate "C")',
]

const SQLITE_STATEMENTS = [
  // The unique index of addresses serves ranges.
  `create index identities_address_second_word on identities
    (substr(email, instr(replace(replace(replace(substr(email, 1, instr(email, '@')), '_', '.'), '+', '.'), '-', '.'), '.') + 1))`,
  `create index identities_address_domain on identities (substr(email, instr(email, '@')))`,
  `create index identities_full_name on identities (${FULL_NAME})`,
  'create index identities_family_name on identities (lower(family_name))',
]
