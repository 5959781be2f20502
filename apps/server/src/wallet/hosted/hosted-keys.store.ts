import type { Selectable } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { HostedKeysTable } from '../../database/tables.ts'

/** An encrypted hosted key. */
export type HostedKeyRow = Selectable<HostedKeysTable>

/** The encrypted keys of hosted wallets. */
export function hostedKeysStore(database: Database) {
  return {
    /** Inserts a key unless it exists; an address has only one key. */
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

    /** The public keys of an identity's hosted wallets. */
    ofIdentity: (identityId: string) =>
      database
        .selectFrom('wallets')
        .innerJoin('hosted_keys', 'hosted_keys.address', 'wallets.address')
        .select(['hosted_keys.address', 'public_key'])
        .where('wallets.identity_id', '=', identityId)
        .execute(),
  }
}
