import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The chain of the lines of the audit log, and the indexes to search it. */
export const auditChain: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  'alter table audit_events add column sequence bigint',
  'alter table audit_events add column hash text',
  `create unique index audit_events_sequence on audit_events (sequence) where sequence is not null`,
  'create index audit_events_unsealed on audit_events (created_at, id) where sequence is null',
  `create table audit_chain (
    id text primary key,
    sequence bigint not null,
    hash text not null,
    wrapped_key text not null
  )`,
  `insert into audit_chain (id, sequence, hash, wrapped_key) values ('chain', 0, '', '')`,
  `create table audit_seals (
    sequence bigint primary key,
    hash text not null,
    sealed_at bigint not null,
    mac text not null
  )`,
  'create index audit_events_created_at on audit_events (created_at, id)',
  'create index audit_events_kind on audit_events (kind, created_at, id)',
  'create index audit_events_organization_code on audit_events (organization_code, created_at, id)',
  `create index audit_events_organization_code_kind
    on audit_events (organization_code, kind, created_at, id)`,
  'create index audit_events_network on audit_events (network, created_at, id)',
  `create index audit_events_operator_id on audit_events (operator_id, created_at, id)
    where operator_id is not null`,
]
