import type { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import { visible } from './visible.ts'

/** The chain counts in nhash, billionths of a hash. */
const HASH_DECIMALS = 9
const DIGITS = /^\d+$/

/** Formats coins for users: '1,000.5 hash'. Other denominations and invalid amounts stay as they are. */
export function coinsInWords(coins: readonly Coin[]): string {
  return coins.length === 0 ? 'nothing' : coins.map(coinInWords).join(' and ')
}

function coinInWords({ denom, amount }: Coin): string {
  if (!DIGITS.test(amount)) return `${visible(amount)} ${visible(denom)}`
  if (denom !== 'nhash') return `${withSeparators(BigInt(amount))} ${visible(denom)}`
  const scale = 10n ** BigInt(HASH_DECIMALS)
  const fraction = `${BigInt(amount) % scale}`.padStart(HASH_DECIMALS, '0').replace(/0+$/, '')
  return `${withSeparators(BigInt(amount) / scale)}${fraction === '' ? '' : `.${fraction}`} hash`
}

const withSeparators = (whole: bigint) => whole.toLocaleString('en-US')
