/**
 * When a transaction of a hosted wallet needs a proof of its own. A stolen session alone can neither send to a recipient
 * of its choice nor, in a day, more than the limit: every address is new until the person has sent to it with a proof,
 * accounts of their own included, since a thief can add those.
 */
import type { ProofReason } from '@portico/contracts/hosted-wallet'
import type { Stores } from '../../stores.ts'
import type { TransactionDescription } from '../words/describe-transaction.ts'

/** The largest amount of each denomination that leaves without a proof; none of any other. */
export type TransferLimits = ReadonlyMap<string, bigint>

type Spending = Pick<TransactionDescription, 'transfers' | 'fee'>

const WINDOW_MS = 24 * 60 * 60 * 1000
const DIGITS = /^\d{1,80}$/

/** Why a transaction needs a proof; null where it needs none. */
export async function proofReason(
  { transfers }: Pick<Stores, 'transfers'>,
  {
    identityId,
    limits,
    spending,
    at,
  }: {
    readonly identityId: string
    readonly limits: TransferLimits
    readonly spending: Spending
    readonly at: number
  },
): Promise<ProofReason | null> {
  const coins = coinsOf(spending)
  if (coins === undefined) return 'unclear'
  const recipients = recipientsOf(spending)
  const known = await transfers.known(identityId, recipients)
  if (recipients.some((address) => !known.has(address))) return 'new-recipient'
  const sent = new Map<string, bigint>()
  for (const { denom, amount } of [
    ...coins,
    ...(await transfers.listUnproven(identityId, { since: at - WINDOW_MS, at })),
  ]) {
    sent.set(denom, (sent.get(denom) ?? 0n) + BigInt(amount))
  }
  const isAbove = coins.some(({ denom }) => (sent.get(denom) ?? 0n) > (limits.get(denom) ?? 0n))
  return isAbove ? 'above-limit' : null
}

/** Everyone a transaction sends to, once. */
export function recipientsOf({ transfers = [] }: Spending): readonly string[] {
  return [...new Set(transfers.map(({ to }) => to.toLowerCase()))]
}

/** Everything a transaction spends, its fee included; undefined where that cannot be told. */
export function coinsOf({ transfers, fee }: Spending) {
  const coins = [...(transfers ?? []).flatMap((transfer) => transfer.coins), ...fee]
  const isClear = transfers !== undefined && coins.every(({ amount }) => DIGITS.test(amount))
  return isClear ? coins.filter(({ amount }) => BigInt(amount) > 0n) : undefined
}
