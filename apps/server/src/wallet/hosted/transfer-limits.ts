/**
 * Decides when a hosted wallet's transaction requires its own proof. An attacker with a stolen session can neither send to
 * new recipients nor exceed the daily limit. Every address is new until the user has sent to it with a proof, even the
 * user's own accounts, because an attacker could add those.
 */
import type { ProofReason } from '@portico/contracts/hosted-wallet'
import type { TransactionDescription } from '@portico/wallet-connect/describe-transaction'
import type { Stores } from '../../stores.ts'

/** The maximum amount per denomination without a proof; 0 for denominations not listed. */
export type TransferLimits = ReadonlyMap<string, bigint>

type Spending = Pick<TransactionDescription, 'transfers' | 'fee'>

const WINDOW_MS = 24 * 60 * 60 * 1000
const DIGITS = /^\d{1,80}$/

/** Returns why a transaction requires a proof, or null if it does not. */
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
  const known = await transfers.listKnown(identityId, recipients)
  if (recipients.some((address) => !known.has(address))) return 'new-recipient'
  const sent = new Map<string, bigint>()
  for (const { denom, amount } of [
    ...coins,
    ...(await transfers.listUnproven(identityId, { since: at - WINDOW_MS, at })),
  ]) {
    sent.set(denom, (sent.get(denom) ?? 0n) + BigInt(amount))
  }
  const exceedsLimit = coins.some(
    ({ denom }) => (sent.get(denom) ?? 0n) > (limits.get(denom) ?? 0n),
  )
  return exceedsLimit ? 'above-limit' : null
}

/** The distinct recipients of a transaction. */
export function recipientsOf({ transfers = [] }: Spending): readonly string[] {
  return [...new Set(transfers.map(({ to }) => to.toLowerCase()))]
}

/** Everything a transaction spends, including its fee; undefined if unknown. */
export function coinsOf({ transfers, fee }: Spending) {
  const coins = [...(transfers ?? []).flatMap((transfer) => transfer.coins), ...fee]
  const isKnown = transfers !== undefined && coins.every(({ amount }) => DIGITS.test(amount))
  return isKnown ? coins.filter(({ amount }) => BigInt(amount) > 0n) : undefined
}
