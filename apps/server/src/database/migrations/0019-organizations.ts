import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What operators edit over the files of organizations and banners: drafts, published versions, pictures and style sheets. */
export const organizations: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `create table brand_drafts (
    organization_code text primary key,
    revision bigint not null,
    base_version bigint not null,
    changes text not null,
    state text not null,
    author text not null,
    saved_at bigint not null,
    submitted_by text,
    submitted_at bigint,
    note text
  )`,
  `create table brand_versions (
    organization_code text not null,
    version bigint not null,
    changes text not null,
    restores bigint,
    author text not null,
    submitted_by text,
    published_by text not null,
    published_at bigint not null,
    reason text not null,
    primary key (organization_code, version)
  )`,
  `create table brand_files (
    name text primary key,
    organization_code text not null,
    content text not null,
    author text not null,
    created_at bigint not null
  )`,
  'create index brand_files_organization_code on brand_files (organization_code)',
  `create table banner_drafts (
    id text primary key,
    revision bigint not null,
    base_version bigint not null,
    content text not null,
    author text not null,
    saved_at bigint not null
  )`,
  `create table banner_versions (
    id text not null,
    version bigint not null,
    content text not null,
    author text not null,
    published_by text not null,
    published_at bigint not null,
    reason text not null,
    primary key (id, version)
  )`,
  `create table published_data (
    name text primary key,
    version bigint not null
  )`,
  "insert into published_data (name, version) values ('organizations', 0), ('banners', 0)",
]
