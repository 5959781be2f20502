import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Setting up identity providers: drafts, mailed links, test sign-ins, and the verification of domains. */
export const providerSetup: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `create table provider_setups (
    provider_id text primary key references identity_providers (id) on delete cascade,
    product text,
    protocol text,
    name text not null,
    settings text not null,
    secret text,
    attribute_mapping text not null,
    required_group text,
    version bigint not null,
    applied_version bigint,
    test_passed_at bigint,
    test text,
    updated_at bigint not null
  )`,
  `create table setup_links (
    token_hash text primary key,
    provider_id text not null references identity_providers (id) on delete cascade,
    email text not null,
    created_at bigint not null,
    expires_at bigint not null,
    session_hash text unique
  )`,
  'create index setup_links_expires_at on setup_links (expires_at)',
  'create index setup_links_provider_id on setup_links (provider_id)',
  `create table provider_tests (
    state_hash text primary key,
    provider_id text not null references identity_providers (id) on delete cascade,
    cookie_hash text not null,
    version bigint not null,
    wrapped text not null,
    expires_at bigint not null,
    consumed_at bigint
  )`,
  'create index provider_tests_expires_at on provider_tests (expires_at)',
  'alter table provider_domains add column challenge text',
  `create table domain_claims (
    domain text primary key,
    organization_code text not null,
    verified_at bigint not null
  )`,
  `insert into domain_claims (domain, organization_code, verified_at)
    select provider_domains.domain, min(identity_providers.organization_code), min(provider_domains.verified_at)
    from provider_domains join identity_providers on identity_providers.id = provider_domains.provider_id
    where provider_domains.verified_at is not null
    group by provider_domains.domain`,
]
