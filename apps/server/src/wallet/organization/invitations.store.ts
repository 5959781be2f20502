import type { Insertable } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'

/** The most waiting invitations, and the most declined ones, that a list contains. */
const MAX_LISTED = 100

/** Invitations of members to the accounts of their organizations, until they are accepted. */
export function organizationInvitationsStore(database: Database) {
  const ofAccount = (identityId: string, accountAddress: string) =>
    database
      .selectFrom('organizationInvitations')
      .select('walletAddress')
      .where('identityId', '=', identityId)
      .where('accountAddress', '=', accountAddress)

  const ofIdentity = (identityId: string) =>
    database
      .selectFrom('organizationInvitations')
      .innerJoin('accounts', 'accounts.address', 'organizationInvitations.accountAddress')
      .innerJoin('wallets', (join) =>
        join
          .onRef('wallets.address', '=', 'organizationInvitations.walletAddress')
          .onRef('wallets.identityId', '=', 'organizationInvitations.identityId'),
      )
      .select([
        'accounts.address',
        'accounts.name',
        'walletAddress',
        'wallets.name as walletName',
        'organizationInvitations.createdAt',
        'declinedAt',
      ])
      .where('organizationInvitations.identityId', '=', identityId)
      .where('wallets.convertedAt', 'is', null)

  return {
    async insert(invitation: Insertable<Tables['organizationInvitations']>): Promise<boolean> {
      const row = await database
        .insertInto('organizationInvitations')
        .values(invitation)
        .onConflict((conflict) => conflict.columns(['walletAddress', 'accountAddress']).doNothing())
        .returning('walletAddress')
        .executeTakeFirst()
      return row !== undefined
    },

    /**
     * An identity's invitations: those that wait the longest first, so that newer ones never hide them, then declined ones,
     * the last declined first.
     */
    async listByIdentity(identityId: string) {
      const [waiting, declined] = await Promise.all([
        ofIdentity(identityId)
          .where('declinedAt', 'is', null)
          // Invitations from before limits outlived their creators, of whom there can be any number, come last.
          .orderBy(({ eb }) =>
            eb.case().when('accounts.creatorId', 'is', null).then(1).else(0).end(),
          )
          .orderBy('organizationInvitations.createdAt')
          .orderBy('accounts.address')
          .limit(MAX_LISTED)
          .execute(),
        ofIdentity(identityId)
          .where('declinedAt', 'is not', null)
          .orderBy('declinedAt', 'desc')
          .orderBy('accounts.address')
          .limit(MAX_LISTED)
          .execute(),
      ])
      return [...waiting, ...declined]
    },

    /** The invited wallets of an identity. */
    async listWallets(identityId: string, accountAddress: string): Promise<string[]> {
      const rows = await ofAccount(identityId, accountAddress).execute()
      return rows.map(({ walletAddress }) => walletAddress)
    },

    /** All invitations to an account. */
    listByAccount: (accountAddress: string) =>
      database
        .selectFrom('organizationInvitations')
        .select(['walletAddress', 'declinedAt'])
        .where('accountAddress', '=', accountAddress)
        .execute(),

    /**
     * The number of an identity's invitations to accounts of one creator: waiting, declined, and accepted since the given time.
     * One statement, because an invitation may be accepted meanwhile.
     */
    async countFrom(creatorId: string, identityId: string, since: number): Promise<number> {
      const invited = database
        .selectFrom('organizationInvitations')
        .innerJoin('accounts', 'accounts.address', 'organizationInvitations.accountAddress')
        .select('accounts.address')
        .where('identityId', '=', identityId)
        .where('accounts.creatorId', '=', creatorId)
      const accepted = database
        .selectFrom('wallets')
        .innerJoin('authorizations', 'authorizations.walletAddress', 'wallets.address')
        .innerJoin('accounts', 'accounts.address', 'authorizations.accountAddress')
        .select('accounts.address')
        .where('wallets.identityId', '=', identityId)
        .where('accounts.creatorId', '=', creatorId)
        .where('authorizations.addedAt', '>', since)
      const { count } = await database
        .selectFrom(invited.unionAll(accepted).as('each'))
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async delete(walletAddress: string, accountAddress: string): Promise<void> {
      await database
        .deleteFrom('organizationInvitations')
        .where('walletAddress', '=', walletAddress)
        .where('accountAddress', '=', accountAddress)
        .execute()
    },

    /** Declines the waiting invitations of an identity to an account. Returns whether there was one. */
    async decline(identityId: string, accountAddress: string, at: number): Promise<boolean> {
      const rows = await database
        .updateTable('organizationInvitations')
        .set({ declinedAt: at })
        .where('identityId', '=', identityId)
        .where('accountAddress', '=', accountAddress)
        .where('declinedAt', 'is', null)
        .returning('walletAddress')
        .execute()
      return rows.length > 0
    },

    /** Moves all invitations of one wallet to another. */
    async updateWallet(fromWallet: string, toWallet: string): Promise<void> {
      await database
        .updateTable('organizationInvitations')
        .set({ walletAddress: toWallet })
        .where('walletAddress', '=', fromWallet)
        .execute()
    },
  }
}
