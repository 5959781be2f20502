import type { Database } from '../../database/database.ts'

/** Tables deleted with an identity; a table that references another comes before it. */
const IDENTITY_TABLES = [
  'known_recipients',
  'unproven_transfers',
  'wrong_codes',
  'email_changes',
  'borrower_query_params',
  'organization_drafts',
  'approvals',
  'wallet_holders',
  'wallets',
  'passkeys',
  'recovery_codes',
  'security_answers',
  'totp',
  'factor_logins',
  'devices',
  'sessions',
  'aliases',
] as const

/** Tables keyed by e-mail address, whether or not it has an account. */
const ADDRESS_TABLES = ['passcodes', 'registrations', 'inquiries', 'lockout_links'] as const

export function accountDataStore(database: Database) {
  const walletsOf = (identityId: string) =>
    database.selectFrom('wallet_holders').select('address').where('identity_id', '=', identityId)

  return {
    /** Whether the identity has hosted wallet keys, including those of converted wallets. */
    async hasHostedKeys(identityId: string): Promise<boolean> {
      const row = await database
        .selectFrom('hosted_keys')
        .select('address')
        .where('address', 'in', walletsOf(identityId))
        .executeTakeFirst()
      return row !== undefined
    },

    /** Deletes an identity and its data. Security events stay in the audit log, without the name. */
    async delete({ identityId, email }: { identityId: string; email: string }): Promise<void> {
      await database
        .deleteFrom('hosted_keys')
        .where('address', 'in', walletsOf(identityId))
        .execute()
      await database
        .deleteFrom('factor_codes')
        .where('alias_id', 'in', (query) =>
          query.selectFrom('aliases').select('id').where('identity_id', '=', identityId),
        )
        .execute()
      for (const table of IDENTITY_TABLES) {
        await database.deleteFrom(table).where('identity_id', '=', identityId).execute()
      }
      for (const table of ADDRESS_TABLES) {
        await database.deleteFrom(table).where('email', '=', email).execute()
      }
      await database.deleteFrom('identities').where('id', '=', identityId).execute()
    },

    /** The stored data that the security page does not show, newest first. */
    async export(identityId: string) {
      const [arrival, wallets, approvals, events] = await Promise.all([
        database
          .selectFrom('borrower_query_params')
          .select(['query_params', 'updated_at'])
          .where('identity_id', '=', identityId)
          .executeTakeFirst(),
        database
          .selectFrom('wallets')
          .select(['address', 'name', 'type', 'created_at'])
          .where('identity_id', '=', identityId)
          .orderBy('created_at', 'desc')
          .execute(),
        database
          .selectFrom('approvals')
          .select(['kind', 'address', 'origin', 'created_at', 'decided_at'])
          .where('identity_id', '=', identityId)
          .orderBy('created_at', 'desc')
          .execute(),
        database
          .selectFrom('audit_events')
          .select(['at', 'kind', 'organization_code', 'network', 'details'])
          .where('identity_id', '=', identityId)
          .orderBy('at', 'desc')
          .orderBy('id')
          .execute(),
      ])
      return { arrival, wallets, approvals, events }
    },
  }
}
