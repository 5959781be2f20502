import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Organizations' identity providers, logins at them, and the accounts of their people. */
export const broker: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `create table identity_providers (
    id text primary key,
    organization_code text not null,
    user_type text not null,
    protocol text not null,
    name text not null,
    settings text not null,
    secret text,
    attribute_mapping text not null,
    required_group text,
    enabled_at bigint,
    created_at bigint not null,
    updated_at bigint not null
  )`,
  'create index identity_providers_organization_code on identity_providers (organization_code)',
  `create table provider_domains (
    provider_id text not null references identity_providers (id) on delete cascade,
    domain text not null,
    verified_at bigint,
    primary key (provider_id, domain)
  )`,
  `create table provider_logins (
    state_hash text primary key,
    provider_id text not null references identity_providers (id) on delete cascade,
    cookie_hash text not null,
    email text,
    telemetry_tracking_id text,
    wrapped text not null,
    created_at bigint not null,
    expires_at bigint not null,
    consumed_at bigint,
    session_id text,
    link_identity_id text,
    link_subject text,
    link_code_mac text,
    redeemed_at bigint
  )`,
  'create index provider_logins_expires_at on provider_logins (expires_at)',
  'create index provider_logins_session_id on provider_logins (session_id)',
  'create index provider_logins_email on provider_logins (email)',
  `create table provider_subjects (
    provider_id text not null references identity_providers (id) on delete cascade,
    subject text not null,
    identity_id text not null references identities (id),
    managed_at bigint,
    created_at bigint not null,
    primary key (provider_id, subject)
  )`,
  'create index provider_subjects_identity_id on provider_subjects (identity_id)',
]
