/**
 * A subquery for people with a part of their address or name that begins with a text. Every comparison is a range of an
 * index of migration 0052, and its expression is the same as the index's.
 */
import { PostgresAdapter, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { IdentitiesTable } from '../../database/tables.ts'

type PersonRow = Pick<
  Selectable<IdentitiesTable>,
  | 'id'
  | 'email'
  | 'givenName'
  | 'familyName'
  | 'organizationCode'
  | 'profileType'
  | 'lockedAt'
  | 'createdAt'
>

const COLUMNS =
  'id, email, given_name, family_name, organization_code, profile_type, locked_at, created_at'

const FULL_NAME = `lower(coalesce(given_name || ' ', '') || coalesce(family_name, ''))`

const POSTGRES = {
  address: 'email collate "C"',
  secondWord: `substr(email, strpos(translate(substr(email, 1, strpos(email, '@')), '_+-', '...'), '.') + 1) collate "C"`,
  domain: `substr(email, strpos(email, '@')) collate "C"`,
  fullName: `(${FULL_NAME}) collate "C"`,
  familyName: 'lower(family_name) collate "C"',
}

const SQLITE: typeof POSTGRES = {
  address: 'email',
  secondWord: `substr(email, instr(replace(replace(replace(substr(email, 1, instr(email, '@')), '_', '.'), '+', '.'), '-', '.'), '.') + 1)`,
  domain: `substr(email, instr(email, '@'))`,
  fullName: FULL_NAME,
  familyName: 'lower(family_name)',
}

/** The last character of Unicode, which follows all others. */
const LAST = '\u{10ffff}'

/** People whose address, its domain, the rest of it after its first `.`, `_`, `+` or `-`, or name begins with a text. */
export function withPart(database: Database, text: string): RawBuilder<PersonRow> {
  const isPostgres = database.getExecutor().adapter instanceof PostgresAdapter
  const parts = isPostgres ? POSTGRES : SQLITE
  const address = text.normalize('NFKC').toLowerCase()
  const name = text.toLowerCase()
  // SQLite, and PostgreSQL in some languages, lower only the letters A to Z: a name may keep its first letter.
  const capitalized = name
    .replaceAll(/(?<=^| )./gu, (letter) => letter.toUpperCase())
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  const matches = [
    [parts.address, address],
    [parts.secondWord, address],
    [parts.domain, address.startsWith('@') ? address : `@${address}`],
    [parts.fullName, name],
    [parts.fullName, capitalized],
    [parts.familyName, name],
    [parts.familyName, capitalized],
  ].map(
    ([part = '', start = '']) =>
      sql`select ${sql.raw(COLUMNS)} from identities where ${sql.raw(part)} >= ${start} and ${sql.raw(part)} < ${start + LAST}`,
  )
  // A person can match in several ways.
  return sql<PersonRow>`(${sql.join(matches, sql` union `)})`
}
