import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When sections were submitted, in the order in which reviewers decide, and roles for single organizations. */
export const passportReviews: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  'alter table passport_sections add column submitted_at bigint',
  `update passport_sections set submitted_at = (
    select max(created_at) from passport_reviews
    where passport_reviews.passport_id = passport_sections.passport_id
      and passport_reviews.section = passport_sections.section
      and passport_reviews.event = 'submitted'
  ) where section in ('kyc', 'self-attestation', 'attestation-verification')`,
  'create index passport_sections_status_submitted_at on passport_sections (status, submitted_at)',
  'alter table identity_roles rename to earlier_roles',
  `create table identity_roles (
    identity_id text not null references identities (id),
    role text not null,
    organization_code text not null,
    created_at bigint not null,
    primary key (identity_id, role, organization_code)
  )`,
  `insert into identity_roles (identity_id, role, organization_code, created_at)
    select identity_id, role, organization_code, earlier_roles.created_at
    from earlier_roles join identities on identities.id = earlier_roles.identity_id`,
  'drop table earlier_roles',
]
