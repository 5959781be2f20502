import { experimentResult } from './experiment-statistics.ts'

/** The shares of simulated experiments that declared a winner, by analysis method. */
interface SimulatedWinners {
  /** With the confidence sequence, at the first look that declared one. */
  readonly sequence: number
  /** With a z-test at 5 % at every look. */
  readonly naive: number
  /** With the same test only at the end. */
  readonly fixed: number
}

/**
 * Simulates experiments of two arms, read every `every` visitors per arm. Without `lift` every winner is a false positive.
 */
export function simulatedWinners({
  runs,
  visitorsPerArm,
  every,
  rate,
  lift,
  seed,
}: {
  readonly runs: number
  readonly visitorsPerArm: number
  readonly every: number
  readonly rate: number
  readonly lift: number
  readonly seed: number
}): SimulatedWinners {
  const random = seededRandom(seed)
  const drawn = (probability: number) => {
    let outcomes = 0
    for (let visitor = 0; visitor < every; visitor++) if (random() < probability) outcomes += 1
    return outcomes
  }
  const winners = { sequence: 0, naive: 0, fixed: 0 }
  for (let run = 0; run < runs; run++) {
    let [control, treatment] = [0, 0]
    const found = { sequence: false, naive: false, fixed: false }
    for (let visitors = every; visitors <= visitorsPerArm; visitors += every) {
      control += drawn(rate)
      treatment += drawn(rate + lift)
      const { verdict } = experimentResult([
        { name: 'control', weight: 1, visitors, outcomes: control },
        { name: 'enabled', weight: 1, visitors, outcomes: treatment },
      ])
      found.sequence ||= verdict.kind === 'winner'
      found.fixed = isSignificant(control, treatment, visitors)
      found.naive ||= found.fixed
    }
    winners.sequence += Number(found.sequence)
    winners.naive += Number(found.naive)
    winners.fixed += Number(found.fixed)
  }
  return {
    sequence: winners.sequence / runs,
    naive: winners.naive / runs,
    fixed: winners.fixed / runs,
  }
}

/** The two-sided z-test for two rates at 5 %. */
function isSignificant(control: number, treatment: number, visitors: number): boolean {
  const pooled = (control + treatment) / (2 * visitors)
  const error = Math.sqrt((2 * pooled * (1 - pooled)) / visitors)
  return Math.abs(treatment - control) / visitors > 1.96 * error
}

/** Mulberry32: a small generator of numbers in [0, 1), the same for each seed. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
