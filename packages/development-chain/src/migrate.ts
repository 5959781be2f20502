import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { ChainTables } from './tables.ts'

/** The first schema, in SQL that both engines understand. It is never edited: every later change is a migration. */
const BASELINE = [
  `create table chain_state (
    id integer primary key,
    height bigint not null,
    accounts bigint not null,
    groups bigint not null,
    policies bigint not null,
    proposals bigint not null
  )`,
  `create table chain_accounts (
    address text primary key,
    number bigint not null unique,
    sequence bigint not null,
    public_key text
  )`,
  `create table chain_balances (
    address text not null,
    denom text not null,
    amount bigint not null,
    primary key (address, denom)
  )`,
  `create table chain_groups (
    id bigint primary key,
    admin text not null,
    metadata text not null,
    total_weight text not null,
    created_at bigint not null
  )`,
  `create table chain_group_members (
    group_id bigint not null references chain_groups (id),
    address text not null,
    weight text not null,
    metadata text not null,
    added_at bigint not null,
    primary key (group_id, address)
  )`,
  'create index chain_group_members_address on chain_group_members (address)',
  `create table chain_group_policies (
    address text primary key,
    group_id bigint not null references chain_groups (id),
    admin text not null,
    metadata text not null,
    decision_policy text not null,
    created_at bigint not null
  )`,
  'create index chain_group_policies_group_id on chain_group_policies (group_id)',
  `create table chain_transactions (
    hash text primary key,
    height bigint not null,
    bytes text not null,
    result text not null
  )`,
  'insert into chain_state (id, height, accounts, groups, policies, proposals) values (1, 1, 0, 0, 0, 0)',
]

const PROPOSALS = [
  'alter table chain_groups add column version bigint not null default 1',
  'alter table chain_group_policies add column version bigint not null default 1',
  `create table chain_proposals (
    id bigint primary key,
    group_policy_address text not null references chain_group_policies (address),
    title text not null,
    summary text not null,
    metadata text not null,
    proposers text not null,
    messages text not null,
    group_version bigint not null,
    group_policy_version bigint not null,
    status text not null,
    executor_result text not null,
    final_tally text not null,
    execution_hash text,
    submitted_at bigint not null,
    voting_period_ends_at bigint not null
  )`,
  'create index chain_proposals_group_policy_address on chain_proposals (group_policy_address)',
  'create index chain_proposals_status on chain_proposals (status, voting_period_ends_at)',
  `create table chain_votes (
    proposal_id bigint not null references chain_proposals (id),
    voter text not null,
    option text not null,
    metadata text not null,
    submitted_at bigint not null,
    primary key (proposal_id, voter)
  )`,
  `create table chain_faucet_payments (
    address text primary key,
    paid_at bigint not null
  )`,
]

/** Searches do not find transactions older than this migration. */
const TRANSFERS = [
  `create table chain_transfers (
    hash text not null references chain_transactions (hash),
    height bigint not null,
    role text not null,
    address text not null,
    primary key (hash, role, address)
  )`,
  'create index chain_transfers_address on chain_transfers (address, role, height)',
]

const migration = (statements: readonly string[]): Migration => ({
  async up(database: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(database)
  },
})

export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-baseline': migration(BASELINE),
  '0002-proposals': migration(PROPOSALS),
  '0003-transfers': migration(TRANSFERS),
}

/** Creates or upgrades the chain's tables. Their migrations are recorded separately from those of the database's owner. */
export async function migrate(
  database: Kysely<ChainTables>,
  migrations: Readonly<Record<string, Migration>> = MIGRATIONS,
): Promise<void> {
  const migrator = new Migrator({
    db: database.withoutPlugins(),
    provider: { getMigrations: async () => migrations },
    migrationTableName: 'chain_migration',
    migrationLockTableName: 'chain_migration_lock',
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) {
    throw new Error('The tables of the development chain could not be migrated', { cause: error })
  }
}
