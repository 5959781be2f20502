import type { Database } from '../../database/database.ts'

/** Tables with rows of an identity, in the order in which they are deleted. */
const IDENTITY_TABLES = [
  'knownRecipients',
  'unprovenTransfers',
  'wrongCodes',
  'emailChanges',
  'borrowerQueryParams',
  'providerSubjects',
  'organizationDrafts',
  'organizationInvitations',
  'passportMembers',
  'identityRoles',
  'approvals',
  'walletOwners',
  'wallets',
  'passkeys',
  'recoveryCodes',
  'securityAnswers',
  'totp',
  'factorLogins',
  'devices',
  'sessions',
  'aliases',
] as const

/** Tables keyed by e-mail address, whether or not it has an account. */
const ADDRESS_TABLES = [
  'passcodes',
  'registrations',
  'inquiries',
  'lockoutLinks',
  'providerLogins',
  'passportMembers',
] as const

export function accountDataStore(database: Database) {
  const walletsOf = (identityId: string) =>
    database.selectFrom('walletOwners').select('address').where('identityId', '=', identityId)

  /** The passports that are deleted with the identity. */
  const passportsOf = (identityId: string) => {
    const individuals = database
      .selectFrom('passports')
      .select('id')
      .where('structureType', '=', 'INDIVIDUAL')
    // Each part uses an index; for a condition with `or`, PostgreSQL would scan every passport.
    return individuals
      .where('creatorId', '=', identityId)
      .unionAll(individuals.where('ownerWalletAddress', 'in', walletsOf(identityId)))
  }

  return {
    /** The evidence files that are deleted with the identity. Their bytes are in the file storage. */
    async listFiles(identityId: string): Promise<string[]> {
      const rows = await database
        .selectFrom('passportFiles')
        .select('id')
        .where('passportId', 'in', passportsOf(identityId))
        .execute()
      return rows.map(({ id }) => id)
    },

    /** Whether the identity has hosted wallet keys, including keys of converted wallets. */
    async hasHostedKeys(identityId: string): Promise<boolean> {
      const row = await database
        .selectFrom('hostedKeys')
        .select('address')
        .where('address', 'in', walletsOf(identityId))
        .executeTakeFirst()
      return row !== undefined
    },

    /** Deletes an identity and its data. Security events stay in the audit log, which contains no address. */
    async delete({
      identityId,
      email,
      at,
    }: {
      identityId: string
      email: string
      at: number
    }): Promise<void> {
      await database
        .deleteFrom('hostedKeys')
        .where('address', 'in', walletsOf(identityId))
        .execute()
      await database.deleteFrom('passports').where('id', 'in', passportsOf(identityId)).execute()
      // Organizations' passports also belong to their other members.
      await database
        .updateTable('passports')
        .set({ creatorId: null })
        .where('creatorId', '=', identityId)
        .execute()
      // `accounts.creatorId` stays: limits on invitations outlive the creator, and the ID then identifies no one.
      // Directory data stays until the directory deletes it.
      await database
        .deleteFrom('directoryUsers')
        .where('identityId', '=', identityId)
        .where('deletedAt', 'is not', null)
        .execute()
      await database
        .updateTable('directoryUsers')
        .set({ identityId: null })
        .where('identityId', '=', identityId)
        .execute()
      await database
        .updateTable('passportReviews')
        .set({ identityId: null })
        .where('identityId', '=', identityId)
        .execute()
      await database
        .updateTable('experimentOutcomes')
        .set({ identityId: null })
        .where('identityId', '=', identityId)
        .execute()
      await database
        .updateTable('passportFiles')
        .set({ identityId: null })
        .where('identityId', '=', identityId)
        .execute()
      await database
        .deleteFrom('factorCodes')
        .where('aliasId', 'in', (query) =>
          query.selectFrom('aliases').select('id').where('identityId', '=', identityId),
        )
        .execute()
      await database
        .deleteFrom('openidRecords')
        .where('grantId', 'in', (query) =>
          query
            .selectFrom('openidAuthorizations')
            .select('grantId')
            .where('identityId', '=', identityId),
        )
        .execute()
      // The others are deleted once their clients have been notified.
      await database
        .deleteFrom('openidAuthorizations')
        .where('identityId', '=', identityId)
        .where('logoutDueAt', 'is', null)
        .execute()
      await database
        .updateTable('openidAuthorizations')
        .set({ endedAt: at })
        .where('identityId', '=', identityId)
        .execute()
      for (const table of IDENTITY_TABLES) {
        await database.deleteFrom(table).where('identityId', '=', identityId).execute()
      }
      for (const table of ADDRESS_TABLES) {
        await database.deleteFrom(table).where('email', '=', email).execute()
      }
      await database.deleteFrom('identities').where('id', '=', identityId).execute()
    },

    /** The stored data that the security page does not show, newest first. */
    async getExport(identityId: string) {
      const [arrival, wallets, approvals, events] = await Promise.all([
        database
          .selectFrom('borrowerQueryParams')
          .select(['queryParams', 'updatedAt'])
          .where('identityId', '=', identityId)
          .executeTakeFirst(),
        database
          .selectFrom('wallets')
          .select(['address', 'name', 'type', 'createdAt'])
          .where('identityId', '=', identityId)
          .orderBy('createdAt', 'desc')
          .execute(),
        database
          .selectFrom('approvals')
          .select(['kind', 'address', 'origin', 'createdAt', 'decidedAt'])
          .where('identityId', '=', identityId)
          .orderBy('createdAt', 'desc')
          .execute(),
        database
          .selectFrom('auditEvents')
          .select(['createdAt', 'kind', 'organizationCode', 'network', 'details'])
          .where('identityId', '=', identityId)
          .orderBy('createdAt', 'desc')
          .orderBy('id')
          .execute(),
      ])
      return { arrival, wallets, approvals, events }
    },
  }
}
