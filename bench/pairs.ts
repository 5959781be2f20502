export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return (low + high) / 2
}

/**
 * Measures alternately (A B A B …), so that other activity of the machine affects all
 * equally.
 */
export async function measureAlternately<Name extends string>(
  rounds: number,
  measures: Readonly<Record<Name, (round: number) => Promise<number>>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(measures) as Name[] // The record has only these keys.
  const results = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    Name,
    number[]
  >
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) results[name].push(await measures[name](round))
  }
  return results
}

/** A figure against its baseline, measured in pairs. */
export type Pair = {
  readonly ours: number
  readonly baseline: number
  readonly ratio: number
  readonly lowest: number
  readonly highest: number
}

/** The medians, and the median, minimum and maximum of the pairs' ratios. */
export function paired(ours: readonly number[], baseline: readonly number[]): Pair {
  const ratios = ours.map((value, round) => value / (baseline[round] ?? Number.NaN))
  return {
    ours: median(ours),
    baseline: median(baseline),
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
  }
}
