import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { WalletsTable } from '../database/tables.ts'

const walletsWithOwner = (database: Database, identityId: string) =>
  database
    .selectFrom('wallets')
    .leftJoin('walletOwners', (join) =>
      join
        .onRef('walletOwners.address', '=', 'wallets.address')
        .onRef('walletOwners.identityId', '=', 'wallets.identityId'),
    )
    .selectAll('wallets')
    .select('walletOwners.verifiedAt')
    .where('wallets.identityId', '=', identityId)

/** The wallets of identities and their verified owners. */
export function walletsStore(database: Database) {
  return {
    /** An identity's wallets, oldest first. */
    listByIdentity: (identityId: string) =>
      walletsWithOwner(database, identityId)
        .where('wallets.convertedAt', 'is', null)
        .orderBy('wallets.createdAt')
        .orderBy('wallets.address')
        .execute(),

    /** The addresses of an identity's converted wallets. */
    async listConverted(identityId: string): Promise<string[]> {
      const rows = await database
        .selectFrom('wallets')
        .select('address')
        .where('identityId', '=', identityId)
        .where('convertedAt', 'is not', null)
        .execute()
      return rows.map(({ address }) => address)
    },

    /** A wallet of an identity, including converted ones. */
    find: (identityId: string, address: string) =>
      walletsWithOwner(database, identityId)
        .where('wallets.address', '=', address)
        .executeTakeFirst(),

    /**
     * Records an identity as a wallet's owner, unless the wallet has one. Returns whether this identity is the owner, so
     * repeated calls for the owner return true.
     */
    async insertOwner(address: string, identityId: string, at: number): Promise<boolean> {
      await database
        .insertInto('walletOwners')
        .values({ address, identityId, verifiedAt: at })
        .onConflict((conflict) => conflict.column('address').doNothing())
        .execute()
      return (await this.findOwner(address)) === identityId
    },

    /** The identity that has proven to hold a wallet's key. */
    async findOwner(address: string): Promise<string | undefined> {
      const owner = await database
        .selectFrom('walletOwners')
        .select('identityId')
        .where('address', '=', address)
        .executeTakeFirst()
      return owner?.identityId
    },

    /** Of these addresses, the wallets that an identity owns and has not converted. */
    async listOwned(
      addresses: readonly string[],
    ): Promise<{ readonly walletAddress: string; readonly owner: string }[]> {
      if (addresses.length === 0) return []
      return database
        .selectFrom('walletOwners')
        .innerJoin('wallets', (join) =>
          join
            .onRef('wallets.address', '=', 'walletOwners.address')
            .onRef('wallets.identityId', '=', 'walletOwners.identityId'),
        )
        .select(['walletOwners.address as walletAddress', 'walletOwners.identityId as owner'])
        .where('walletOwners.address', 'in', addresses)
        .where('wallets.convertedAt', 'is', null)
        .execute()
    },

    /** Adds a wallet to an identity's list; returns whether it is new. */
    async insert(wallet: Insertable<WalletsTable>): Promise<boolean> {
      const row = await database
        .insertInto('wallets')
        .values(wallet)
        .onConflict((conflict) => conflict.columns(['identityId', 'address']).doNothing())
        .returning('address')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Changes the name, type or default time of a wallet; returns whether it exists. */
    async update(
      identityId: string,
      address: string,
      changed: Partial<Pick<Selectable<WalletsTable>, 'name' | 'type' | 'defaultAt'>>,
    ): Promise<boolean> {
      const row = await database
        .updateTable('wallets')
        .set(changed)
        .where('identityId', '=', identityId)
        .where('address', '=', address)
        .where('convertedAt', 'is', null)
        .returning('address')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Makes a wallet the only default. */
    async updateDefault(identityId: string, address: string, at: number): Promise<void> {
      await database
        .updateTable('wallets')
        .set({ defaultAt: null })
        .where('identityId', '=', identityId)
        .where('defaultAt', 'is not', null)
        .execute()
      await this.update(identityId, address, { defaultAt: at })
    },

    /**
     * Marks an old wallet as converted and returns its name and default time. Of concurrent calls only one succeeds.
     */
    updateConverted: (identityId: string, address: string, at: number) =>
      database
        .updateTable('wallets')
        .set({ convertedAt: at })
        .where('identityId', '=', identityId)
        .where('address', '=', address)
        .where('type', '=', 'PROVENANCE')
        .where('convertedAt', 'is', null)
        .returning(['name', 'defaultAt'])
        .executeTakeFirst(),
  }
}

/** A wallet of an identity; `verifiedAt` is null if ownership is not proven. */
export type WalletRow = NonNullable<
  Awaited<ReturnType<ReturnType<typeof walletsStore>['listByIdentity']>>[number]
>
