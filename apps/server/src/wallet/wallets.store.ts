import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'
import type { WalletsTable } from '../database/tables.ts'

const listed = (database: Database, identityId: string) =>
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
  listed(database, identityId)
    .where('wallets.converted_at', 'is', null)
    .orderBy('wallets.created_at')
    .orderBy('wallets.address'),
)

const find = prepared(
  (database, { identityId, address }: { identityId: string; address: string }) =>
    listed(database, identityId).where('wallets.address', '=', address),
)

/** Wallets in people's lists, and who proved to hold which. */
export function walletsStore(database: Database) {
  return {
    /** Somebody's wallets, the oldest first. */
    ofIdentity: (identityId: string) => ofIdentity(database, { identityId }),

    /** One of somebody's wallets, also one that was converted. */
    find: async (identityId: string, address: string) =>
      (await find(database, { identityId, address }))[0],

    /** Proves a wallet to be somebody's; of any number who try exactly one identity is told `true`, each time it asks. */
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

    /** Adds a wallet to somebody's list; tells whether it was not there yet. */
    async add(wallet: Insertable<WalletsTable>): Promise<boolean> {
      const row = await database
        .insertInto('wallets')
        .values(wallet)
        .onConflict((conflict) => conflict.columns(['identity_id', 'address']).doNothing())
        .returning('address')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Changes what a wallet of somebody is called, what kind it is, or that it is the default; tells whether it is there. */
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

    /** Makes a wallet the default; no other one is from then on. */
    async makeDefault(identityId: string, address: string, at: number): Promise<void> {
      await database
        .updateTable('wallets')
        .set({ default_at: null })
        .where('identity_id', '=', identityId)
        .where('default_at', 'is not', null)
        .execute()
      await this.change(identityId, address, { default_at: at })
    },

    /** Takes an old wallet out of use; of any number of racers exactly one is given what it was. */
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

/** A wallet in somebody's list; `verified_at` is null where it was never proven to be theirs. */
export type WalletRow = NonNullable<
  Awaited<ReturnType<ReturnType<typeof walletsStore>['ofIdentity']>>[number]
>
