import { ChainFailure } from './chain-failure.ts'

export interface Coin {
  readonly denom: string
  readonly amount: bigint
}

const DENOM = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/
const AMOUNT = /^\d{1,78}$/

/** Whether a text is a valid denomination. */
export const isDenom = (text: string): boolean => DENOM.test(text)

/** Formats coins as in logs and events: `5nhash,1usd`. */
export function coinsText(coins: readonly { denom: string; amount: bigint | string }[]): string {
  return coins.map(({ denom, amount }) => `${amount}${denom}`).join(',')
}

/**
 * Parses the coins of a message, which must be distinct and sorted by denomination.
 *
 * @throws ChainFailure - `invalid-coins`
 */
export function readCoins(coins: readonly { denom: string; amount: string }[]): readonly Coin[] {
  const isValid = coins.every(
    ({ denom, amount }, index) =>
      isDenom(denom) && AMOUNT.test(amount) && (coins[index - 1]?.denom ?? '') < denom,
  )
  if (!isValid) throw new ChainFailure('invalid-coins', coinsText(coins))
  return coins.map(({ denom, amount }) => ({ denom, amount: BigInt(amount) }))
}
