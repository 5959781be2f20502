import { randomUUID } from 'node:crypto'
import { CLOCK_SKEW_MS } from '../../clock.ts'
import type { Database } from '../../database/database.ts'

/** Transfers from hosted wallets, for the transfer limits. */
export function transfersStore(database: Database) {
  return {
    /** The addresses among these that the user has sent to with a proof before. */
    async listKnown(
      identityId: string,
      addresses: readonly string[],
    ): Promise<ReadonlySet<string>> {
      if (addresses.length === 0) return new Set()
      const rows = await database
        .selectFrom('knownRecipients')
        .select('address')
        .where('identityId', '=', identityId)
        .where('address', 'in', addresses)
        .execute()
      return new Set(rows.map(({ address }) => address))
    },

    async insertKnown(identityId: string, addresses: readonly string[], at: number): Promise<void> {
      if (addresses.length === 0) return
      await database
        .insertInto('knownRecipients')
        .values(addresses.map((address) => ({ identityId, address, createdAt: at })))
        .onConflict((conflict) => conflict.columns(['identityId', 'address']).doNothing())
        .execute()
    },

    /** Transfers without a proof since a time, except those that a wrong clock dated in the future. */
    listUnproven: (identityId: string, { since, at }: { since: number; at: number }) =>
      database
        .selectFrom('unprovenTransfers')
        .select(['denom', 'amount'])
        .where('identityId', '=', identityId)
        .where('createdAt', '>', since)
        .where('createdAt', '<=', at + CLOCK_SKEW_MS)
        .execute(),

    async insertUnproven(
      identityId: string,
      coins: readonly { readonly denom: string; readonly amount: string }[],
      at: number,
    ): Promise<void> {
      if (coins.length === 0) return
      await database
        .insertInto('unprovenTransfers')
        .values(
          coins.map(({ denom, amount }) => ({
            id: randomUUID(),
            identityId,
            denom,
            amount,
            createdAt: at,
          })),
        )
        .execute()
    },
  }
}
