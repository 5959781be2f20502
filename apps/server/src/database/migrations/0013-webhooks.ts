import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Webhooks, and people who were imported with the password hash of another product. */
export const webhooks: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `create table webhook_endpoints (
    id text primary key,
    organization_code text not null,
    url text not null,
    kinds text not null,
    secrets text not null,
    contact text not null,
    lane_until bigint not null,
    lane_holder text,
    failures bigint not null,
    failing_since bigint,
    paused_until bigint not null,
    disabled_at bigint,
    removed_at bigint,
    created_at bigint not null
  )`,
  'create index webhook_endpoints_organization_code on webhook_endpoints (organization_code)',
  `create table webhook_deliveries (
    event_id text not null,
    endpoint_id text not null references webhook_endpoints (id) on delete cascade,
    created_at bigint not null,
    attempts bigint not null,
    next_attempt_at bigint,
    delivered_at bigint,
    last_result text,
    primary key (event_id, endpoint_id)
  )`,
  'create index webhook_deliveries_next_attempt_at on webhook_deliveries (endpoint_id, next_attempt_at) where next_attempt_at is not null',
  'create index webhook_deliveries_endpoint_id on webhook_deliveries (endpoint_id, created_at)',
  'create index webhook_deliveries_created_at on webhook_deliveries (created_at)',
  'alter table identities add column given_name text',
  'alter table identities add column family_name text',
  'alter table identities add column foreign_password_at bigint',
  'create index identities_foreign_password_at on identities (foreign_password_at) where foreign_password_at is not null',
]
