/** Exact decimals of the group module: weights, thresholds and percentages, in millionths. */

const SCALE = 1_000_000n
const DECIMALS = 6
const DECIMAL = /^(\d{1,12})(?:\.(\d{1,6}))?$/

/** Parses a decimal that is not negative; undefined if it is invalid. */
export function parseDecimal(text: string): bigint | undefined {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? []
  return whole === undefined
    ? undefined
    : BigInt(whole) * SCALE + BigInt(fraction.padEnd(DECIMALS, '0'))
}

export function formatDecimal(value: bigint): string {
  const fraction = `${value % SCALE}`.padStart(DECIMALS, '0').replace(/0+$/, '')
  return `${value / SCALE}${fraction === '' ? '' : `.${fraction}`}`
}

/** Whether a part is at least a percentage (at most 1) of a total. */
export function isShare(part: bigint, total: bigint, percentage: bigint): boolean {
  return total > 0n && part * SCALE >= percentage * total
}
