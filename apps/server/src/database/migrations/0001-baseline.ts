import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * The schema of the first release, in SQL that both engines understand. It is never edited: every later change is a
 * migration of its own.
 */
export const baseline: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  // The installation.
  `create table portico_versions (
    version text primary key,
    first_used_at bigint not null
  )`,
  `create table installation (
    id integer primary key,
    mode text not null,
    created_at bigint not null
  )`,

  // Accounts of users.
  `create table identities (
    id text primary key,
    email text not null unique,
    organization_code text not null,
    profile_type text not null,
    password_hash text,
    password_expired_at bigint,
    email_factor_at bigint,
    credential_version bigint not null default 0,
    locked_at bigint,
    login_redirect text,
    created_at bigint not null,
    updated_at bigint not null
  )`,
  `create table aliases (
    id text primary key,
    identity_id text not null references identities (id),
    type text not null,
    value text not null,
    verified_at bigint,
    created_at bigint not null
  )`,
  'create index aliases_identity_id on aliases (identity_id)',
  `create table registrations (
    email text primary key,
    organization_code text not null,
    created_at bigint not null,
    expires_at bigint not null
  )`,
  'create index registrations_expires_at on registrations (expires_at)',
  `create table inquiries (
    email text not null,
    organization_code text not null,
    welcomed_at bigint not null,
    expires_at bigint not null,
    primary key (email, organization_code)
  )`,
  'create index inquiries_expires_at on inquiries (expires_at)',
  `create table borrower_query_params (
    identity_id text primary key references identities (id),
    query_params text not null,
    updated_at bigint not null
  )`,

  // Sign-in: sessions, codes and second factors.
  `create table sessions (
    id text primary key,
    identity_id text not null references identities (id),
    secret_hash text not null,
    method text not null,
    second_method text,
    organization_code text not null,
    network text not null,
    user_agent text not null,
    created_at bigint not null,
    expires_at bigint not null,
    ended_at bigint,
    confirmed_at bigint,
    confirmed_by text,
    wallet_address text,
    group_policy_address text,
    wallet_locked_at bigint,
    wallet_used_at bigint
  )`,
  'create index sessions_identity_id on sessions (identity_id)',
  'create index sessions_expires_at on sessions (expires_at)',
  `create table devices (
    identity_id text not null references identities (id),
    id_hash text not null,
    first_seen_at bigint not null,
    last_seen_at bigint not null,
    trusted_until bigint,
    primary key (identity_id, id_hash)
  )`,
  'create index devices_id_hash on devices (id_hash)',
  `create table passcodes (
    id text primary key,
    email text not null,
    code_mac text not null,
    organization_code text not null,
    created_at bigint not null,
    expires_at bigint not null,
    redeemed_at bigint,
    telemetry_session_uuid text
  )`,
  'create index passcodes_expires_at on passcodes (expires_at)',
  `create table factor_logins (
    id text primary key,
    identity_id text not null references identities (id),
    method text not null,
    credential_version bigint not null,
    created_at bigint not null,
    expires_at bigint not null,
    completed_at bigint
  )`,
  'create index factor_logins_expires_at on factor_logins (expires_at)',
  `create table factor_codes (
    id text primary key,
    purpose_id text not null,
    alias_id text not null,
    code_mac text not null,
    created_at bigint not null,
    expires_at bigint not null,
    redeemed_at bigint
  )`,
  'create index factor_codes_purpose_id on factor_codes (purpose_id)',
  'create index factor_codes_expires_at on factor_codes (expires_at)',
  `create table email_changes (
    id text primary key,
    identity_id text not null references identities (id),
    email text not null,
    current_code_mac text not null,
    new_code_mac text not null,
    created_at bigint not null,
    expires_at bigint not null,
    completed_at bigint
  )`,
  'create index email_changes_identity_id on email_changes (identity_id)',
  'create index email_changes_expires_at on email_changes (expires_at)',
  `create table totp (
    identity_id text primary key references identities (id),
    secret text,
    pending_secret text,
    confirmed_at bigint,
    last_step bigint not null
  )`,
  `create table security_answers (
    identity_id text not null references identities (id),
    question_id text not null,
    position bigint not null,
    answer_hash text not null,
    created_at bigint not null,
    primary key (identity_id, question_id)
  )`,
  `create table recovery_codes (
    identity_id text not null references identities (id),
    code_hash text not null,
    created_at bigint not null,
    used_at bigint,
    primary key (identity_id, code_hash)
  )`,
  `create table passkeys (
    id text primary key,
    identity_id text not null references identities (id),
    credential_id text not null unique,
    public_key text not null,
    counter bigint not null,
    transports text not null,
    name text not null,
    created_at bigint not null,
    last_used_at bigint
  )`,
  'create index passkeys_identity_id on passkeys (identity_id)',
  `create table passkey_challenges (
    id text primary key,
    purpose text not null,
    challenge text not null,
    expires_at bigint not null
  )`,
  'create index passkey_challenges_expires_at on passkey_challenges (expires_at)',

  // Limits: attempts, counters and values that can be used once.
  `create table attempts (
    key text primary key,
    window_started_at bigint not null,
    count bigint not null,
    locked_until bigint not null,
    refused bigint not null
  )`,
  'create index attempts_window_started_at on attempts (window_started_at)',
  `create table wrong_codes (
    key text primary key,
    identity_id text not null,
    count integer not null
  )`,
  'create index wrong_codes_identity_id on wrong_codes (identity_id)',
  `create table lockout_links (
    token_hash text primary key,
    email text not null,
    device_hash text,
    expires_at bigint not null
  )`,
  'create index lockout_links_device_hash on lockout_links (device_hash)',
  'create index lockout_links_expires_at on lockout_links (expires_at)',
  `create table counters (
    key text primary key,
    window_started_at bigint not null,
    count bigint not null
  )`,
  'create index counters_window_started_at on counters (window_started_at)',
  `create table single_uses (
    key text primary key,
    expires_at bigint not null
  )`,
  'create index single_uses_expires_at on single_uses (expires_at)',

  // Wallets.
  `create table wallets (
    identity_id text not null references identities (id),
    address text not null,
    name text not null,
    type text not null,
    default_at bigint,
    converted_at bigint,
    created_at bigint not null,
    primary key (identity_id, address)
  )`,
  `create table wallet_owners (
    address text primary key,
    identity_id text not null references identities (id),
    verified_at bigint not null
  )`,
  `create table accounts (
    address text primary key,
    name text not null,
    created_at bigint not null
  )`,
  `create table authorizations (
    wallet_address text not null,
    account_address text not null references accounts (address),
    type text not null,
    created_at bigint not null,
    primary key (wallet_address, account_address)
  )`,
  `create table organization_drafts (
    id text primary key,
    identity_id text not null references identities (id),
    wallet_address text not null,
    name text not null,
    account_address text,
    created_at bigint not null,
    expires_at bigint not null
  )`,
  'create index organization_drafts_identity_id_wallet_address on organization_drafts (identity_id, wallet_address)',
  'create index organization_drafts_expires_at on organization_drafts (expires_at)',
  `create table hosted_keys (
    address text primary key,
    public_key text not null,
    wrapped text not null,
    created_at bigint not null
  )`,
  `create table wallet_nonces (
    nonce text primary key,
    session_id text not null,
    expires_at bigint not null
  )`,
  'create index wallet_nonces_session_id_expires_at on wallet_nonces (session_id, expires_at)',
  'create index wallet_nonces_expires_at on wallet_nonces (expires_at)',
  `create table approvals (
    id text primary key,
    session_id text not null,
    identity_id text not null references identities (id),
    kind text not null,
    address text not null,
    group_policy_address text,
    origin text not null,
    bytes text not null,
    created_at bigint not null,
    expires_at bigint not null,
    decided_at bigint,
    proven_at bigint
  )`,
  'create index approvals_expires_at on approvals (expires_at)',
  `create table known_recipients (
    identity_id text not null references identities (id),
    address text not null,
    created_at bigint not null,
    primary key (identity_id, address)
  )`,
  `create table unproven_transfers (
    id text primary key,
    identity_id text not null references identities (id),
    denom text not null,
    amount text not null,
    created_at bigint not null
  )`,
  'create index unproven_transfers_identity_id_created_at on unproven_transfers (identity_id, created_at)',
  'create index unproven_transfers_created_at on unproven_transfers (created_at)',
  `create table short_links (
    id_hash text primary key,
    wrapped text not null,
    expires_at bigint not null
  )`,
  'create index short_links_expires_at on short_links (expires_at)',

  // Messages, audit log and signing keys.
  `create table messages (
    id text primary key,
    channel text not null,
    kind text not null,
    recipient text not null,
    content text not null,
    created_at bigint not null,
    sent_at bigint,
    dropped_at bigint,
    attempts bigint not null,
    next_attempt_at bigint not null
  )`,
  'create index messages_recipient_created_at on messages (recipient, created_at)',
  'create index messages_due on messages (sent_at, dropped_at, next_attempt_at)',
  'create index messages_created_at on messages (created_at)',
  `create table audit_events (
    id text primary key,
    created_at bigint not null,
    kind text not null,
    identity_id text,
    organization_code text not null,
    network text not null,
    details text not null
  )`,
  'create index audit_events_identity_id_created_at on audit_events (identity_id, created_at)',
  `create table signing_keys (
    id text primary key,
    wrapped text not null,
    created_at bigint not null
  )`,

  // Telemetry and experiments.
  `create table telemetry_sessions (
    uuid text primary key,
    tracker_uuid text not null,
    previous_uuid text,
    identity_id text,
    organization_code text not null,
    platform text not null,
    lib_version text not null,
    app_version text not null,
    referrer text not null,
    query_params text not null,
    screen_width integer not null,
    screen_height integer not null,
    window_width integer not null,
    window_height integer not null,
    created_at bigint not null
  )`,
  'create index telemetry_sessions_created_at on telemetry_sessions (created_at)',
  'create index telemetry_sessions_tracker_uuid on telemetry_sessions (tracker_uuid)',
  `create table telemetry_events (
    id text primary key,
    session_uuid text not null,
    identity_id text,
    organization_code text not null,
    event text not null,
    event_type text not null,
    product_type text,
    application_uuid text,
    domain text not null,
    page_path text not null,
    query_params text not null,
    event_properties text not null,
    created_at bigint not null
  )`,
  'create index telemetry_events_created_at on telemetry_events (created_at)',
  `create table experiment_exposures (
    id text primary key,
    tracker_uuid text not null,
    experiment_key text not null,
    variant text not null,
    organization_code text not null,
    exposed_at bigint not null,
    unique (tracker_uuid, experiment_key)
  )`,
  'create index experiment_exposures_exposed_at on experiment_exposures (exposed_at)',
]
