import { ChainFailure } from './chain-failure.ts'

/** An amount of something that the chain counts. */
export interface Coin {
  readonly denom: string
  readonly amount: bigint
}

const DENOM = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/
const AMOUNT = /^\d{1,78}$/

/** Whether a text can name something that the chain counts. */
export const isDenom = (text: string): boolean => DENOM.test(text)

/** Amounts as the chain writes them in logs and events: `5nhash,1usd`. */
export function coinsText(coins: readonly { denom: string; amount: bigint | string }[]): string {
  return coins.map(({ denom, amount }) => `${amount}${denom}`).join(',')
}

/**
 * The amounts of a message: none of them zero, each thing once, in the order of their names.
 *
 * @throws ChainFailure - `invalid-coins`
 */
export function readCoins(given: readonly { denom: string; amount: string }[]): readonly Coin[] {
  const good = given.every(
    ({ denom, amount }, index) =>
      isDenom(denom) && AMOUNT.test(amount) && (given[index - 1]?.denom ?? '') < denom,
  )
  if (!good) throw new ChainFailure('invalid-coins', coinsText(given))
  return given.map(({ denom, amount }) => ({ denom, amount: BigInt(amount) }))
}
