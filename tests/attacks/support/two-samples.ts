/**
 * Tests whether two samples come from one distribution: the two-sided Mann-Whitney U test, with the normal
 * approximation and tie correction. It compares ranks, so a few very slow responses (a disk flush, a garbage
 * collection) weigh no more than slow ones, and it assumes no particular distribution.
 */

interface Comparison {
  /** The p-value. */
  readonly p: number
  /** The probability that a value of the second sample is larger than one of the first; a half for equal distributions. */
  readonly superiority: number
}

export function compare(first: readonly number[], second: readonly number[]): Comparison {
  const all = [
    ...first.map((value) => ({ value, isFirst: true })),
    ...second.map((value) => ({ value, isFirst: false })),
  ].sort((a, b) => a.value - b.value)
  const [n, m] = [first.length, second.length]
  let [rankSum, ties] = [0, 0]
  for (let start = 0; start < all.length; ) {
    let end = start
    while (end < all.length && all[end]?.value === all[start]?.value) end += 1
    const rank = (start + 1 + end) / 2
    rankSum += rank * all.slice(start, end).filter(({ isFirst }) => isFirst).length
    ties += (end - start) ** 3 - (end - start)
    start = end
  }
  const u = rankSum - (n * (n + 1)) / 2
  const total = n + m
  const deviation = Math.sqrt(((n * m) / 12) * (total + 1 - ties / (total * (total - 1))))
  const z = deviation === 0 ? 0 : Math.max(0, Math.abs(u - (n * m) / 2) - 0.5) / deviation
  return { p: Math.min(1, 2 * upperTail(z)), superiority: 1 - u / (n * m) }
}

/** The upper tail of the standard normal distribution at `z` (Abramowitz and Stegun, 26.2.17). */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const series = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153].reduce(
    (sum, coefficient) => (sum + coefficient) * t,
    0,
  )
  return (Math.exp(-(z ** 2) / 2) / Math.sqrt(2 * Math.PI)) * series
}
