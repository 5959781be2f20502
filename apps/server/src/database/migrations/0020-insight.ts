import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Counts of what visits did, by hour and by day, and experiments that are run from the console. */
export const insight: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const countsTable = (name: string) => [
  `create table ${name} (
    metric text not null,
    starts_at bigint not null,
    organization_code text not null,
    label text not null,
    device text not null,
    count bigint not null,
    primary key (metric, starts_at, organization_code, label, device)
  )`,
  `create index ${name}_starts_at on ${name} (starts_at)`,
]

const STATEMENTS = [
  ...countsTable('insight_hours'),
  ...countsTable('insight_days'),
  'create table insight_state (id text primary key, audit_sequence bigint not null)',
  `insert into insight_state (id, audit_sequence) values ('state', 0)`,
  'alter table telemetry_sessions add column counted_at bigint',
  'alter table telemetry_sessions add column marks bigint not null default 0',
  'create index telemetry_sessions_uncounted on telemetry_sessions (created_at) where counted_at is null',
  `create index telemetry_sessions_identity_id on telemetry_sessions (identity_id, created_at)
    where identity_id is not null`,
  'alter table telemetry_events add column counted_at bigint',
  'create index telemetry_events_uncounted on telemetry_events (created_at) where counted_at is null',
  `create table experiment_runs (
    id text primary key,
    experiment_key text not null,
    split text not null,
    starts_at bigint not null,
    stops_at bigint,
    created_at bigint not null,
    created_by text not null,
    reason text not null,
    ended_at bigint,
    ended_by text,
    end_reason text,
    afterwards text
  )`,
  'create unique index experiment_runs_open on experiment_runs (experiment_key) where ended_at is null',
  'create index experiment_runs_experiment_key on experiment_runs (experiment_key, created_at)',
  `create table experiment_visitors (
    run_id text not null,
    tracker_uuid text not null,
    variant text not null,
    organization_code text not null,
    exposed_at bigint not null,
    counted_at bigint,
    primary key (run_id, tracker_uuid)
  )`,
  'create index experiment_visitors_tracker_uuid on experiment_visitors (tracker_uuid)',
  'create index experiment_visitors_exposed_at on experiment_visitors (exposed_at)',
  'create index experiment_visitors_uncounted on experiment_visitors (exposed_at) where counted_at is null',
  `create table experiment_outcomes (
    run_id text not null,
    tracker_uuid text not null,
    outcome text not null,
    reached_at bigint not null,
    primary key (run_id, tracker_uuid, outcome)
  )`,
  'create index experiment_outcomes_reached_at on experiment_outcomes (reached_at)',
  `create table experiment_counts (
    run_id text not null,
    variant text not null,
    organization_code text not null,
    outcome text not null,
    visitors bigint not null,
    primary key (run_id, variant, organization_code, outcome)
  )`,
]
