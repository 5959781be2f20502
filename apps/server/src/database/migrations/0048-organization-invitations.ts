import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Members of an organization are invited and get its account when they accept. Memberships from before stay. */
export const organizationInvitations: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `create table organization_invitations (
    wallet_address text not null,
    account_address text not null references accounts (address),
    identity_id text not null references identities (id),
    created_at bigint not null,
    declined_at bigint,
    primary key (wallet_address, account_address)
  )`,
  'create index organization_invitations_identity_id on organization_invitations (identity_id)',
  'create index organization_invitations_account_address on organization_invitations (account_address)',
  'alter table accounts add column creator_id text',
  'create index accounts_creator_id on accounts (creator_id)',
  // The creator's authorization is the one that was not added by others.
  `update accounts set creator_id = (
    select wallet_owners.identity_id from authorizations
    join wallet_owners on wallet_owners.address = authorizations.wallet_address
    where authorizations.account_address = accounts.address
      and authorizations.type = 'Group' and authorizations.added_at is null
    order by authorizations.created_at, authorizations.wallet_address
    limit 1
  )`,
]
