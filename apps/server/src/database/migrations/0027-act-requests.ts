import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Acts of operators that wait for a second one. */
export const actRequests: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `create table act_requests (
    id text primary key,
    act text not null,
    content text not null,
    organization_codes text not null,
    reason text not null,
    requested_by text not null,
    requester_kind text not null,
    requester_name text not null,
    requester_person text not null,
    created_at bigint not null,
    expires_at bigint not null,
    state text not null,
    decided_by text,
    decider_name text,
    decided_at bigint,
    decision_reason text,
    failure text,
    answer text
  )`,
  'create index act_requests_created_at on act_requests (created_at, id)',
  'create index act_requests_expires_at on act_requests (expires_at)',
]
