import type { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import { visible } from './visible.ts'

/** The chain counts in billionths of a hash. */
const HASH_DECIMALS = 9
const DIGITS = /^\d+$/

/** Coins as people say them: '1,000.5 hash'; another denomination, or what is not a number, as it is. */
export function coinsInWords(coins: readonly Coin[]): string {
  return coins.length === 0 ? 'nothing' : coins.map(coinInWords).join(' and ')
}

function coinInWords({ denom, amount }: Coin): string {
  if (!DIGITS.test(amount)) return `${visible(amount)} ${visible(denom)}`
  if (denom !== 'nhash') return `${grouped(BigInt(amount))} ${visible(denom)}`
  const scale = 10n ** BigInt(HASH_DECIMALS)
  const fraction = `${BigInt(amount) % scale}`.padStart(HASH_DECIMALS, '0').replace(/0+$/, '')
  return `${grouped(BigInt(amount) / scale)}${fraction === '' ? '' : `.${fraction}`} hash`
}

const grouped = (whole: bigint) => whole.toLocaleString('en-US')
