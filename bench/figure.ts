import { type Pair, paired } from './pairs.ts'
import type { Spread } from './spread.ts'

/** One line of the table. */
export type Figure = {
  readonly figure: string
  readonly on: string
  readonly ours: string
  readonly baseline: string
  readonly ratio: string
  readonly budget: string
  readonly met: boolean | undefined
}

/** A budget of a figure. */
type Budget = { readonly text: string; readonly isMet: (pair: Pair) => boolean }

/** A row that compares medians, with the ratio per pair. */
export function figure(parts: {
  readonly figure: string
  readonly on: string
  readonly ours: readonly number[]
  readonly baseline: readonly number[]
  readonly write: (value: number) => string
  readonly budget?: Budget
}): Figure {
  const pair = paired(parts.ours, parts.baseline)
  return {
    figure: parts.figure,
    on: parts.on,
    ours: parts.write(pair.ours),
    baseline: parts.write(pair.baseline),
    ratio: ratioText(pair),
    budget: parts.budget?.text ?? '',
    met: parts.budget?.isMet(pair),
  }
}

/** A row of response times, with the ratio of the 95th percentiles. The budget is compared with the medians of all rounds. */
export function latencyFigure(parts: {
  readonly figure: string
  readonly on: string
  readonly ours: readonly Spread[]
  readonly baseline: readonly Spread[]
  readonly budget?: { readonly text: string; readonly isMet: (ours: Spread) => boolean }
}): Figure {
  const of = (spreads: readonly Spread[], name: keyof Spread) => spreads.map((each) => each[name])
  const median = (spreads: readonly Spread[], name: keyof Spread) =>
    paired(of(spreads, name), of(spreads, name)).ours
  const written = (spreads: readonly Spread[]) =>
    `${(['p50', 'p95', 'p99'] as const).map((name) => short(median(spreads, name))).join(' / ')} ms`
  return {
    figure: parts.figure,
    on: parts.on,
    ours: written(parts.ours),
    baseline: written(parts.baseline),
    ratio: ratioText(paired(of(parts.ours, 'p95'), of(parts.baseline, 'p95'))),
    budget: parts.budget?.text ?? '',
    met: parts.budget?.isMet({
      p50: median(parts.ours, 'p50'),
      p95: median(parts.ours, 'p95'),
      p99: median(parts.ours, 'p99'),
    }),
  }
}

/** A zero baseline has no ratio. */
function ratioText({ ratio, lowest, highest }: Pair): string {
  if (![ratio, lowest, highest].every(Number.isFinite)) return ''
  return lowest === highest
    ? short(ratio)
    : `${short(ratio)} (${short(lowest)} to ${short(highest)})`
}

/** A number with three significant digits. */
export function short(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

/** A rate. */
export const perSecond = (value: number) => `${short(value)}/s`
