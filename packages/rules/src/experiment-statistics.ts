/**
 * Statistics for experiments with a yes/no outcome per visitor. Results may be read at any time: the intervals are
 * asymptotic confidence sequences (Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas, "Time-uniform central limit theory and
 * asymptotic confidence sequences", Annals of Statistics 52(6), 2024, Theorem 2.2), which cover the true effect at all looks
 * together. Before `MIN_VISITORS` and `MIN_OUTCOMES` the asymptotics do not hold and no interval is given.
 */

/** The overall error rate across all looks at an experiment. */
const ALPHA = 0.05
/** The number of visitors at which the interval is narrowest. */
const TIGHTEST_AT = 5000
/** An arm with fewer visitors has no interval. */
export const MIN_VISITORS = 100
/** An arm with fewer visitors with, or without, the outcome has no interval. */
export const MIN_OUTCOMES = 10

/** The minimum number of visitors for checking the split. */
const MIN_SPLIT_VISITORS = 100
/** The quantiles of the chi-square distribution for a probability of 0.001 above them, from one degree of freedom on. */
const CHI_SQUARE_QUANTILES = [
  10.828, 13.816, 16.266, 18.467, 20.515, 22.458, 24.322, 26.124, 27.877,
]

/** The visitors of an experiment with one variant. */
export interface Arm {
  readonly name: string
  /** The share of visitors that should get it, relative to the other arms. */
  readonly weight: number
  readonly visitors: number
  /** How many of them had the outcome. */
  readonly outcomes: number
}

/** The difference between the rates of an arm and the control, from -1 to 1. */
export interface Effect {
  readonly difference: number
  readonly from: number
  readonly to: number
}

export type Verdict =
  | { readonly kind: 'winner'; readonly arm: string }
  | { readonly kind: 'no-difference-yet' }
  | { readonly kind: 'not-enough-data' }
  | { readonly kind: 'split-broken' }

export interface ExperimentResult {
  readonly verdict: Verdict
  readonly chiSquare: number
  /** The effect of each arm except the control; undefined without enough data. */
  readonly effects: ReadonlyMap<string, Effect | undefined>
}

/** Compares each arm with the control, which is the first. */
export function experimentResult([control, ...others]: readonly [
  Arm,
  ...(readonly Arm[]),
]): ExperimentResult {
  const arms = [control, ...others]
  const chiSquare = splitChiSquare(arms)
  // Bonferroni: each comparison gets its share of the error rate.
  const alpha = ALPHA / Math.max(1, others.length)
  const effects = new Map(others.map((arm) => [arm.name, effectOf(control, arm, alpha)]))
  return { verdict: verdictOf(control, effects, isSplitBroken(arms)), chiSquare, effects }
}

function verdictOf(
  control: Arm,
  effects: ReadonlyMap<string, Effect | undefined>,
  splitBroken: boolean,
): Verdict {
  if (splitBroken) return { kind: 'split-broken' }
  const known = [...effects].flatMap(([arm, effect]) =>
    effect === undefined ? [] : [{ arm, effect }],
  )
  const best = known.reduce<(typeof known)[number] | undefined>(
    (leader, each) =>
      each.effect.from > 0 && each.effect.difference > (leader?.effect.difference ?? 0)
        ? each
        : leader,
    undefined,
  )
  if (best !== undefined) return { kind: 'winner', arm: best.arm }
  if (known.length < effects.size || effects.size === 0) return { kind: 'not-enough-data' }
  // The control wins only if it beats every other arm.
  if (known.every(({ effect }) => effect.to < 0)) return { kind: 'winner', arm: control.name }
  return { kind: 'no-difference-yet' }
}

function effectOf(control: Arm, arm: Arm, alpha: number): Effect | undefined {
  if (!hasEnough(control) || !hasEnough(arm)) return undefined
  const difference = arm.outcomes / arm.visitors - control.outcomes / control.visitors
  const visitors = control.visitors + arm.visitors
  const radius = radiusOf({ variance: visitors * (spread(control) + spread(arm)), visitors, alpha })
  return {
    difference,
    from: Math.max(-1, difference - radius),
    to: Math.min(1, difference + radius),
  }
}

function hasEnough({ visitors, outcomes }: Arm): boolean {
  return visitors >= MIN_VISITORS && outcomes >= MIN_OUTCOMES && visitors - outcomes >= MIN_OUTCOMES
}

/** The variance of an arm's rate. */
function spread({ visitors, outcomes }: Arm): number {
  const rate = outcomes / visitors
  return (rate * (1 - rate)) / visitors
}

/** The half-width of the confidence sequence (Theorem 2.2), with its parameter ρ chosen to be the narrowest at `TIGHTEST_AT`. */
export function radiusOf({
  variance,
  visitors,
  alpha,
}: {
  readonly variance: number
  readonly visitors: number
  readonly alpha: number
}): number {
  const rhoSquared = (-2 * Math.log(alpha) + Math.log(-2 * Math.log(alpha) + 1)) / TIGHTEST_AT
  const scale = visitors * rhoSquared + 1
  return Math.sqrt(
    ((2 * variance * scale) / (visitors ** 2 * rhoSquared)) * Math.log(Math.sqrt(scale) / alpha),
  )
}

/** Pearson's chi-square statistic for the arms' visitors and their weights. */
export function splitChiSquare(arms: readonly Arm[]): number {
  const visitors = sum(arms.map((arm) => arm.visitors))
  const weights = sum(arms.map(({ weight }) => weight))
  if (visitors === 0 || weights === 0) return 0
  return sum(
    arms.map((arm) => {
      const expected = (visitors * arm.weight) / weights
      // An arm of weight 0 cannot have visitors.
      if (expected === 0) return arm.visitors === 0 ? 0 : Number.MAX_VALUE
      return (arm.visitors - expected) ** 2 / expected
    }),
  )
}

/**
 * Whether the probability of such a split is below 0.001, which means that visitors are lost, counted twice or misassigned.
 */
export function isSplitBroken(arms: readonly Arm[]): boolean {
  const weighted = arms.filter(({ weight }) => weight > 0).length
  const quantile = CHI_SQUARE_QUANTILES[weighted - 2] ?? 0
  const visitors = sum(arms.map((arm) => arm.visitors))
  return visitors >= MIN_SPLIT_VISITORS && splitChiSquare(arms) > quantile
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
