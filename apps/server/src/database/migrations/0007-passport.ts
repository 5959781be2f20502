import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Investor passports, their members and reviews, and the roles of identities. */
export const passport: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `create table passports (
    id text primary key,
    structure_type text not null,
    owner_wallet_address text not null unique,
    creator_id text references identities (id),
    organization_code text not null,
    created_at bigint not null
  )`,
  'create index passports_creator_id on passports (creator_id)',
  `create table passport_sections (
    id text primary key,
    passport_id text not null references passports (id) on delete cascade,
    section text not null,
    status text not null,
    version bigint not null,
    answers text not null,
    saved_at bigint not null,
    unique (passport_id, section)
  )`,
  `create table passport_members (
    id text primary key,
    passport_id text not null references passports (id) on delete cascade,
    email text not null,
    name text not null,
    role text not null,
    identity_id text references identities (id),
    created_at bigint not null,
    expires_at bigint not null,
    joined_at bigint,
    unique (passport_id, email)
  )`,
  'create index passport_members_identity_id on passport_members (identity_id)',
  'create index passport_members_email on passport_members (email)',
  `create table passport_reviews (
    id text primary key,
    passport_id text not null references passports (id) on delete cascade,
    section text not null,
    event text not null,
    reason text,
    identity_id text,
    created_at bigint not null
  )`,
  'create index passport_reviews_passport_id_created_at on passport_reviews (passport_id, created_at)',
  `create table identity_roles (
    identity_id text not null references identities (id),
    role text not null,
    created_at bigint not null,
    primary key (identity_id, role)
  )`,
]
