import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Sign-ins at the lender's own applications, for which Portico is the OpenID Connect provider. */
export const openidProvider: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `create table openid_records (
    id_hash text primary key,
    kind text not null,
    payload text not null,
    grant_id text,
    consumed_at bigint,
    created_at bigint not null,
    expires_at bigint not null
  )`,
  'create index openid_records_grant_id on openid_records (grant_id)',
  'create index openid_records_expires_at on openid_records (expires_at)',
  `create table openid_authorizations (
    id text primary key,
    issuer text not null,
    session_id text not null,
    client_id text not null,
    identity_id text not null,
    grant_id text not null,
    expires_at bigint not null,
    logout_due_at bigint,
    logout_attempts bigint not null,
    unique (session_id, client_id)
  )`,
  'create index openid_authorizations_identity_id on openid_authorizations (identity_id)',
  'create index openid_authorizations_expires_at on openid_authorizations (expires_at)',
  'create index openid_authorizations_logout_due_at on openid_authorizations (logout_due_at)',
  `create table openid_keys (
    id text primary key,
    wrapped text not null,
    created_at bigint not null
  )`,
]
