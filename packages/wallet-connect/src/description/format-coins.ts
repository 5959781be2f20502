import { escapeInvisible } from '@portico/contracts/invisible-characters'
import { formatNumber } from '@portico/rules/format'

/** An amount of one denomination, as on the chain. */
export interface Coin {
  readonly denom: string
  readonly amount: string
}

/** The chain counts in nhash, billionths of a hash. */
const HASH_DECIMALS = 9
const DIGITS = /^\d+$/

/** Formats coins for users: '1,000.5 hash'. Other denominations and invalid amounts stay as they are. */
export function formatCoins(coins: readonly Coin[]): string {
  return coins.length === 0 ? 'nothing' : coins.map(formatCoin).join(' and ')
}

/** One coin per denomination, in the order of their first occurrence. Invalid amounts stay as they are. */
export function sumCoins(coins: readonly Coin[]): readonly Coin[] {
  const sums = new Map<string, bigint>()
  for (const { denom, amount } of coins) {
    if (DIGITS.test(amount)) sums.set(denom, (sums.get(denom) ?? 0n) + BigInt(amount))
  }
  const invalid = coins.filter(({ amount }) => !DIGITS.test(amount))
  return [...Array.from(sums, ([denom, sum]) => ({ denom, amount: `${sum}` })), ...invalid]
}

function formatCoin({ denom, amount }: Coin): string {
  if (!DIGITS.test(amount)) return `${escapeInvisible(amount)} ${escapeInvisible(denom)}`
  if (denom !== 'nhash') return `${formatNumber(BigInt(amount))} ${escapeInvisible(denom)}`
  const scale = 10n ** BigInt(HASH_DECIMALS)
  const fraction = `${BigInt(amount) % scale}`.padStart(HASH_DECIMALS, '0').replace(/0+$/, '')
  return `${formatNumber(BigInt(amount) / scale)}${fraction === '' ? '' : `.${fraction}`} hash`
}
