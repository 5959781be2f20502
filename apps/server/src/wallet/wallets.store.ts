import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'
import type { WalletsTable } from '../database/tables.ts'

const walletsWithOwner = (database: Database, identityId: string) =>
  database
    .selectFrom('wallets')
    .leftJoin('wallet_holders', (join) =>
      join
        .onRef('wallet_holders.address', '=', 'wallets.address')
        .onRef('wallet_holders.identity_id', '=', 'wallets.identity_id'),
    )
    .selectAll('wallets')
    .select('wallet_holders.verified_at')
    .where('wallets.identity_id', '=', identityId)

const ofIdentity = prepared((database, { identityId }: { identityId: string }) =>
  walletsWithOwner(database, identityId)
    .where('wallets.converted_at', 'is', null)
    .orderBy('wallets.created_at')
    .orderBy('wallets.address'),
)

const find = prepared(
  (database, { identityId, address }: { identityId: string; address: string }) =>
    walletsWithOwner(database, identityId).where('wallets.address', '=', address),
)

/** The wallets of identities and their verified owners. */
export function walletsStore(database: Database) {
  return {
    /** An identity's wallets, oldest first. */
    ofIdentity: (identityId: string) => ofIdentity(database, { identityId }),

    /** A wallet of an identity, including converted ones. */
    find: async (identityId: string, address: string) =>
      (await find(database, { identityId, address }))[0],

    /**
     * Records an identity as a wallet's owner. The first identity wins, and only for it this returns true, also when
     * repeated.
     */
    async hold(address: string, identityId: string, at: number): Promise<boolean> {
      await database
        .insertInto('wallet_holders')
        .values({ address, identity_id: identityId, verified_at: at })
        .onConflict((conflict) => conflict.column('address').doNothing())
        .execute()
      const holder = await database
        .selectFrom('wallet_holders')
        .select('identity_id')
        .where('address', '=', address)
        .executeTakeFirst()
      return holder?.identity_id === identityId
    },

    /** Adds a wallet to an identity's list; returns whether it is new. */
    async add(wallet: Insertable<WalletsTable>): Promise<boolean> {
      const row = await database
        .insertInto('wallets')
        .values(wallet)
        .onConflict((conflict) => conflict.columns(['identity_id', 'address']).doNothing())
        .returning('address')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Changes the name, type or default time of a wallet; returns whether it exists. */
    async change(
      identityId: string,
      address: string,
      changed: Partial<Pick<Selectable<WalletsTable>, 'name' | 'type' | 'default_at'>>,
    ): Promise<boolean> {
      const row = await database
        .updateTable('wallets')
        .set(changed)
        .where('identity_id', '=', identityId)
        .where('address', '=', address)
        .where('converted_at', 'is', null)
        .returning('address')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Makes a wallet the only default. */
    async makeDefault(identityId: string, address: string, at: number): Promise<void> {
      await database
        .updateTable('wallets')
        .set({ default_at: null })
        .where('identity_id', '=', identityId)
        .where('default_at', 'is not', null)
        .execute()
      await this.change(identityId, address, { default_at: at })
    },

    /**
     * Marks an old wallet as converted and returns its name and default time. Of concurrent calls only one succeeds.
     */
    convert: (identityId: string, address: string, at: number) =>
      database
        .updateTable('wallets')
        .set({ converted_at: at })
        .where('identity_id', '=', identityId)
        .where('address', '=', address)
        .where('type', '=', 'PROVENANCE')
        .where('converted_at', 'is', null)
        .returning(['name', 'default_at'])
        .executeTakeFirst(),
  }
}

/** A wallet of an identity; `verified_at` is null if ownership is not proven. */
export type WalletRow = NonNullable<
  Awaited<ReturnType<ReturnType<typeof walletsStore>['ofIdentity']>>[number]
>
