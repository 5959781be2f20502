import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The organization on each section, so that an index has a reviewer's lists in their order. */
export const reviewPages: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `alter table passport_sections add column organization_code text not null default ''`,
  `update passport_sections set organization_code = (
    select organization_code from passports where passports.id = passport_sections.passport_id
  )`,
  `create index passport_sections_review_pages
    on passport_sections (organization_code, status, submitted_at, id)`,
  'drop index passport_sections_status_submitted_at',
]
