import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'

/** How a wallet signs on behalf of an organization. */
type OrganizationAuthorization = Selectable<Tables['authorizations']>['type']

/** Accounts of organizations and the wallets that may sign for them. */
export function accountsStore(database: Database) {
  return {
    /** The accounts that an identity's wallets may sign for. */
    listByIdentity: (identityId: string) =>
      database
        .selectFrom('wallets')
        .innerJoin('authorizations', 'authorizations.walletAddress', 'wallets.address')
        .innerJoin('accounts', 'accounts.address', 'authorizations.accountAddress')
        .select(['accounts.address', 'accounts.name', 'authorizations.type', 'walletAddress'])
        .where('wallets.identityId', '=', identityId)
        .where('wallets.convertedAt', 'is', null)
        .orderBy('accounts.name')
        .orderBy('accounts.address')
        .orderBy('walletAddress')
        .execute(),

    /** An account, if the wallet may sign for it. */
    findAuthorized: (walletAddress: string, accountAddress: string) =>
      database
        .selectFrom('authorizations')
        .innerJoin('accounts', 'accounts.address', 'authorizations.accountAddress')
        .select(['accounts.address', 'accounts.name', 'authorizations.type'])
        .where('walletAddress', '=', walletAddress)
        .where('accountAddress', '=', accountAddress)
        .executeTakeFirst(),

    /** All group accounts, once for each wallet that may sign for them. */
    listGroups: () =>
      database
        .selectFrom('authorizations')
        .innerJoin('accounts', 'accounts.address', 'authorizations.accountAddress')
        .select(['accounts.address', 'accounts.name', 'walletAddress'])
        .where('authorizations.type', '=', 'Group')
        .orderBy('accounts.createdAt')
        .execute(),

    async insert(account: Insertable<Tables['accounts']>): Promise<void> {
      await database.insertInto('accounts').values(account).execute()
    },

    async insertUnlessExists(account: Insertable<Tables['accounts']>): Promise<void> {
      await database
        .insertInto('accounts')
        .values(account)
        .onConflict((conflict) => conflict.column('address').doNothing())
        .execute()
    },

    async insertAuthorization(authorization: {
      walletAddress: string
      accountAddress: string
      type: OrganizationAuthorization
      at: number
    }): Promise<void> {
      await database
        .insertInto('authorizations')
        .values({
          walletAddress: authorization.walletAddress,
          accountAddress: authorization.accountAddress,
          type: authorization.type,
          createdAt: authorization.at,
        })
        .execute()
    },

    /** Moves all authorizations of one wallet to another. */
    async updateWallet(fromWallet: string, toWallet: string): Promise<void> {
      await database
        .updateTable('authorizations')
        .set({ walletAddress: toWallet })
        .where('walletAddress', '=', fromWallet)
        .execute()
    },
  }
}
