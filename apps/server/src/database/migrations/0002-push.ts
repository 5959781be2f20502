import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The notifications of mobile wallets. */
export const push: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `create table vapid_keys (
    id text primary key,
    wrapped text not null,
    created_at bigint not null
  )`,
  `create table push_subscriptions (
    id_hash text primary key,
    wrapped text not null,
    network text not null,
    expires_at bigint not null
  )`,
  'create index push_subscriptions_expires_at on push_subscriptions (expires_at)',
  'create index push_subscriptions_network on push_subscriptions (network)',
  `create table push_topics (
    topic_hash text not null,
    id_hash text not null references push_subscriptions (id_hash) on delete cascade,
    primary key (topic_hash, id_hash)
  )`,
  'create index push_topics_id_hash on push_topics (id_hash)',
]
