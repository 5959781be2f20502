import type { Selectable } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { HostedKeysTable } from '../../database/tables.ts'

/** An encrypted hosted key. */
export type HostedKeyRow = Selectable<HostedKeysTable>

/** The encrypted keys of hosted wallets. */
export function hostedKeysStore(database: Database) {
  return {
    /** Inserts a key unless it exists; an address has only one key. */
    async insert(key: HostedKeyRow): Promise<void> {
      await database
        .insertInto('hostedKeys')
        .values(key)
        .onConflict((conflict) => conflict.column('address').doNothing())
        .execute()
    },

    find: (address: string): Promise<HostedKeyRow | undefined> =>
      database
        .selectFrom('hostedKeys')
        .selectAll()
        .where('address', '=', address)
        .executeTakeFirst(),

    /** The public keys of an identity's hosted wallets. */
    listByIdentity: (identityId: string) =>
      database
        .selectFrom('wallets')
        .innerJoin('hostedKeys', 'hostedKeys.address', 'wallets.address')
        .select(['hostedKeys.address', 'publicKey'])
        .where('wallets.identityId', '=', identityId)
        .execute(),
  }
}
