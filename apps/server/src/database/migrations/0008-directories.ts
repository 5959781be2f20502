import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The people and groups that organizations' directories send by SCIM, and the tokens with which they send them. */
export const directories: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `create table directory_tokens (
    id text primary key,
    provider_id text not null references identity_providers (id) on delete cascade,
    token_hash text not null unique,
    created_at bigint not null,
    expires_at bigint,
    last_used_at bigint
  )`,
  'create index directory_tokens_provider_id on directory_tokens (provider_id)',
  `create table directory_users (
    id text primary key,
    provider_id text not null references identity_providers (id) on delete cascade,
    user_name text not null,
    user_name_key text not null,
    external_id text,
    email text,
    email_key text,
    display_name text,
    given_name text,
    family_name text,
    identity_id text references identities (id),
    deactivated_at bigint,
    left_group_at bigint,
    deleted_at bigint,
    created_at bigint not null,
    updated_at bigint not null
  )`,
  // A deleted user keeps an account from logging in, but its name is free again.
  `create unique index directory_users_user_name_key on directory_users (provider_id, user_name_key)
    where deleted_at is null`,
  'create index directory_users_external_id on directory_users (provider_id, external_id)',
  'create index directory_users_email_key on directory_users (provider_id, email_key)',
  'create index directory_users_created_at on directory_users (provider_id, created_at, id)',
  'create index directory_users_identity_id on directory_users (identity_id)',
  `create table directory_groups (
    id text primary key,
    provider_id text not null references identity_providers (id) on delete cascade,
    display_name text not null,
    display_name_key text not null,
    external_id text,
    created_at bigint not null,
    updated_at bigint not null,
    unique (provider_id, display_name_key)
  )`,
  `create table directory_members (
    group_id text not null references directory_groups (id) on delete cascade,
    user_id text not null references directory_users (id) on delete cascade,
    primary key (group_id, user_id)
  )`,
  'create index directory_members_user_id on directory_members (user_id)',
]
