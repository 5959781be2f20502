import { randomUUID } from 'node:crypto'
import { CLOCK_SKEW_MS } from '../../clock.ts'
import type { Database } from '../../database/database.ts'

/** Transfers from hosted wallets, for the transfer limits. */
export function transfersStore(database: Database) {
  return {
    /** The given addresses to which the user has sent with a proof before. */
    async known(identityId: string, addresses: readonly string[]): Promise<ReadonlySet<string>> {
      if (addresses.length === 0) return new Set()
      const rows = await database
        .selectFrom('known_recipients')
        .select('address')
        .where('identity_id', '=', identityId)
        .where('address', 'in', addresses)
        .execute()
      return new Set(rows.map(({ address }) => address))
    },

    async insertKnown(identityId: string, addresses: readonly string[], at: number): Promise<void> {
      if (addresses.length === 0) return
      await database
        .insertInto('known_recipients')
        .values(addresses.map((address) => ({ identity_id: identityId, address, created_at: at })))
        .onConflict((conflict) => conflict.columns(['identity_id', 'address']).doNothing())
        .execute()
    },

    /** Transfers without a proof since a time, except those that a wrong clock dated in the future. */
    listUnproven: (identityId: string, { since, at }: { since: number; at: number }) =>
      database
        .selectFrom('unproven_transfers')
        .select(['denom', 'amount'])
        .where('identity_id', '=', identityId)
        .where('created_at', '>', since)
        .where('created_at', '<=', at + CLOCK_SKEW_MS)
        .execute(),

    async insertUnproven(
      identityId: string,
      coins: readonly { readonly denom: string; readonly amount: string }[],
      at: number,
    ): Promise<void> {
      if (coins.length === 0) return
      await database
        .insertInto('unproven_transfers')
        .values(
          coins.map(({ denom, amount }) => ({
            id: randomUUID(),
            identity_id: identityId,
            denom,
            amount,
            created_at: at,
          })),
        )
        .execute()
    },
  }
}
