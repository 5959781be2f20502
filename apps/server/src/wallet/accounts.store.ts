import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'

/** How a wallet signs on behalf of an organization. */
type OrganizationAuthorization = Selectable<Tables['authorizations']>['type']

/** Its group has not been read from the chain yet. */
type NewAccount = Omit<Insertable<Tables['accounts']>, 'groupVersion'>

const newRow = (account: NewAccount) => ({ ...account, groupVersion: 0 })

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

    /** The number of an identity's accounts that others did not add it to. */
    countOwn: (identityId: string) => countAuthorizations(database, identityId, 'is'),

    /** The number of accounts that others added an identity to. */
    countAdded: (identityId: string) => countAuthorizations(database, identityId, 'is not'),

    /** An account, if the wallet may sign for it. */
    findAuthorized: (walletAddress: string, accountAddress: string) =>
      database
        .selectFrom('authorizations')
        .innerJoin('accounts', 'accounts.address', 'authorizations.accountAddress')
        .select(['accounts.address', 'accounts.name', 'authorizations.type'])
        .where('walletAddress', '=', walletAddress)
        .where('accountAddress', '=', accountAddress)
        .executeTakeFirst(),

    /** Locks an authorization, so that it is not removed before this transaction has committed. */
    async lockAuthorization(walletAddress: string, accountAddress: string): Promise<void> {
      await database
        .updateTable('authorizations')
        .set(({ ref }) => ({ createdAt: ref('createdAt') }))
        .where('walletAddress', '=', walletAddress)
        .where('accountAddress', '=', accountAddress)
        .execute()
    },

    /** Locks an account, as comparisons with its group do. */
    async lock(address: string): Promise<void> {
      await database
        .updateTable('accounts')
        .set(({ ref }) => ({ createdAt: ref('createdAt') }))
        .where('address', '=', address)
        .execute()
    },

    /** The identity that created an account, which may have been deleted since; undefined if it is unknown. */
    async findCreator(address: string): Promise<string | undefined> {
      const row = await database
        .selectFrom('accounts')
        .select('creatorId')
        .where('address', '=', address)
        .executeTakeFirst()
      return row?.creatorId ?? undefined
    },

    /** The existing accounts among these addresses. */
    async listExisting(addresses: readonly string[]): Promise<string[]> {
      if (addresses.length === 0) return []
      const rows = await database
        .selectFrom('accounts')
        .select('address')
        .where('address', 'in', addresses)
        .execute()
      return rows.map(({ address }) => address)
    },

    /** The group version that an account's authorizations were last synced from. */
    async findGroupVersion(address: string): Promise<number | undefined> {
      const row = await database
        .selectFrom('accounts')
        .select('groupVersion')
        .where('address', '=', address)
        .executeTakeFirst()
      return row?.groupVersion
    },

    /** Locks an account and raises its group's version. Returns whether the version is not older than the stored one. */
    async updateGroupVersion(address: string, groupVersion: number): Promise<boolean> {
      const row = await database
        .updateTable('accounts')
        .set({ groupVersion })
        .where('address', '=', address)
        .where('groupVersion', '<=', groupVersion)
        .returning('address')
        .executeTakeFirst()
      return row !== undefined
    },

    /** The wallets that may sign for an account as members of its group. */
    async listGroupWallets(accountAddress: string): Promise<string[]> {
      const rows = await database
        .selectFrom('authorizations')
        .select('walletAddress')
        .where('accountAddress', '=', accountAddress)
        .where('type', '=', 'Group')
        .execute()
      return rows.map(({ walletAddress }) => walletAddress)
    },

    async deleteAuthorization(walletAddress: string, accountAddress: string): Promise<void> {
      await database
        .deleteFrom('authorizations')
        .where('walletAddress', '=', walletAddress)
        .where('accountAddress', '=', accountAddress)
        .execute()
    },

    /** All group accounts, once per wallet that may sign for them. */
    listGroups: () =>
      database
        .selectFrom('authorizations')
        .innerJoin('accounts', 'accounts.address', 'authorizations.accountAddress')
        .select(['accounts.address', 'accounts.name', 'walletAddress'])
        .where('authorizations.type', '=', 'Group')
        .orderBy('accounts.createdAt')
        .execute(),

    async insert(account: NewAccount): Promise<void> {
      await database.insertInto('accounts').values(newRow(account)).execute()
    },

    async insertUnlessExists(account: NewAccount): Promise<void> {
      await database
        .insertInto('accounts')
        .values(newRow(account))
        .onConflict((conflict) => conflict.column('address').doNothing())
        .execute()
    },

    async insertAuthorization(authorization: {
      walletAddress: string
      accountAddress: string
      type: OrganizationAuthorization
      at: number
      /** Whether others are adding the wallet to their organization. */
      isAdded?: boolean
    }): Promise<void> {
      await database
        .insertInto('authorizations')
        .values({
          walletAddress: authorization.walletAddress,
          accountAddress: authorization.accountAddress,
          type: authorization.type,
          createdAt: authorization.at,
          addedAt: authorization.isAdded ? authorization.at : null,
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

async function countAuthorizations(
  database: Database,
  identityId: string,
  addedAtIsNull: 'is' | 'is not',
): Promise<number> {
  const { count } = await database
    .selectFrom('wallets')
    .innerJoin('authorizations', 'authorizations.walletAddress', 'wallets.address')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('wallets.identityId', '=', identityId)
    .where('wallets.convertedAt', 'is', null)
    .where('authorizations.addedAt', addedAtIsNull, null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
