import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Operators: the use of their sessions, service tokens, repeated writes, and the search for people. */
export const operators: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  'alter table sessions add column operator_used_at bigint',
  'alter table audit_events add column operator_id text',
  `create table service_tokens (
    id text primary key,
    name text not null,
    token_hash text not null unique,
    permissions text not null,
    organization_codes text not null,
    created_by text not null,
    created_at bigint not null,
    expires_at bigint not null,
    last_used_at bigint,
    revoked_at bigint
  )`,
  'create index service_tokens_name on service_tokens (name)',
  'create index service_tokens_created_at on service_tokens (created_at, id)',
  `create table idempotency_keys (
    key_hash text primary key,
    request_hash text not null,
    answer text,
    created_at bigint not null
  )`,
  'create index idempotency_keys_created_at on idempotency_keys (created_at)',
  'create index identities_created_at on identities (created_at, id)',
  'create index identities_organization_code_created_at on identities (organization_code, created_at, id)',
  `create index aliases_phone on aliases (value) where type = 'Phone'`,
  'create index wallets_address on wallets (address)',
  'create index authorizations_account_address on authorizations (account_address)',
  // For reviewers of all organizations.
  'create index passport_sections_status_submitted_at on passport_sections (status, submitted_at, id)',
]
