import type { Selectable } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { HostedKeysTable } from '../../database/tables.ts'

/** A hosted key, wrapped. */
export type HostedKeyRow = Selectable<HostedKeysTable>

/** The keys of hosted wallets, as wrapped texts. */
export function hostedKeysStore(database: Database) {
  return {
    /** Keeps a key; one that is kept already stays, since an address has one key only. */
    async add(key: HostedKeyRow): Promise<void> {
      await database
        .insertInto('hosted_keys')
        .values(key)
        .onConflict((conflict) => conflict.column('address').doNothing())
        .execute()
    },

    find: (address: string): Promise<HostedKeyRow | undefined> =>
      database
        .selectFrom('hosted_keys')
        .selectAll()
        .where('address', '=', address)
        .executeTakeFirst(),

    /** The public keys of somebody's hosted wallets. */
    ofIdentity: (identityId: string) =>
      database
        .selectFrom('wallets')
        .innerJoin('hosted_keys', 'hosted_keys.address', 'wallets.address')
        .select(['hosted_keys.address', 'public_key'])
        .where('wallets.identity_id', '=', identityId)
        .execute(),
  }
}
