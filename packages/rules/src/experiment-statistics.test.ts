import { expect, test } from 'vitest'
import {
  type Arm,
  experimentResult,
  isSplitBroken,
  radiusOf,
  splitChiSquare,
} from './experiment-statistics.ts'
import { simulatedWinners } from './simulated-experiments.ts'

const arm = (name: string, visitors: number, outcomes: number, weight = 50): Arm => ({
  name,
  weight,
  visitors,
  outcomes,
})

// Computed with Python's decimal module from Theorem 2.2 of the paper.
test.each([
  [1000, 0.25, 0.05, 0.053_187_735_032_787_5],
  [5000, 0.25, 0.05, 0.021_462_168_594_134_2],
  [20_000, 1, 0.025, 0.023_803_498_660_530_02],
])(
  '7.8 the radius at %i visitors with variance %d and alpha %d is %d',
  (visitors, variance, alpha, radius) => {
    expect(radiusOf({ variance, visitors, alpha })).toBeCloseTo(radius, 12)
  },
)

// Fabijan and others, "Diagnosing Sample Ratio Mismatch in Online Controlled Experiments" (KDD 2019): an even split.
test('7.8 a split is checked with Pearson’s chi-square', () => {
  const known = [arm('control', 821_588, 0), arm('enabled', 815_482, 0)]
  expect(splitChiSquare(known)).toBeCloseTo(6106 ** 2 / 1_637_070, 9)
  expect(isSplitBroken(known)).toBe(true)
})

test.each<[string, readonly Arm[], boolean]>([
  ['is even', [arm('a', 5000, 0), arm('b', 5000, 0)], false],
  ['is as uneven as its weights', [arm('a', 9000, 0, 90), arm('b', 1000, 0, 10)], false],
  ['is off by chance', [arm('a', 5100, 0), arm('b', 4900, 0)], false],
  ['has a chi-square of 10.82', [arm('a', 10_000 + 232.6, 0), arm('b', 10_000 - 232.6, 0)], false],
  ['has a chi-square of 10.84', [arm('a', 10_000 + 232.81, 0), arm('b', 10_000 - 232.81, 0)], true],
  ['has too few visitors to be checked', [arm('a', 99, 0), arm('b', 0, 0)], false],
  ['of 100 visitors has one arm only', [arm('a', 100, 0), arm('b', 0, 0)], true],
  ['has visitors in an arm of weight 0', [arm('a', 500, 0, 100), arm('b', 1, 0, 0)], true],
  [
    'of three arms has a chi-square of 13.5',
    [arm('a', 1082.16, 0), arm('b', 1000, 0), arm('c', 917.84, 0)],
    false,
  ],
  [
    'of three arms has a chi-square of 14.1',
    [arm('a', 1084, 0), arm('b', 1000, 0), arm('c', 916, 0)],
    true,
  ],
])('7.8 a split that %s', (_, arms, broken) => {
  expect(isSplitBroken(arms)).toBe(broken)
})

test.each<[string, [Arm, ...Arm[]], object]>([
  ['few visitors', [arm('control', 99, 40), arm('enabled', 99, 40)], { kind: 'not-enough-data' }],
  [
    'few outcomes',
    [arm('control', 5000, 9), arm('enabled', 5000, 40)],
    { kind: 'not-enough-data' },
  ],
  [
    'only outcomes',
    [arm('control', 5000, 4991), arm('enabled', 5000, 4000)],
    { kind: 'not-enough-data' },
  ],
  ['one arm', [arm('enabled', 5000, 400)], { kind: 'not-enough-data' }],
  [
    'equal rates',
    [arm('control', 5000, 1500), arm('enabled', 5000, 1510)],
    { kind: 'no-difference-yet' },
  ],
  [
    'a higher rate',
    [arm('control', 5000, 1500), arm('enabled', 5000, 1750)],
    { kind: 'winner', arm: 'enabled' },
  ],
  [
    'a lower rate',
    [arm('control', 5000, 1750), arm('enabled', 5000, 1500)],
    { kind: 'winner', arm: 'control' },
  ],
  [
    'the best of three',
    [arm('control', 5000, 1500), arm('small', 5000, 1800), arm('large', 5000, 1900)],
    { kind: 'winner', arm: 'large' },
  ],
  [
    'the control lower than one of two',
    [arm('control', 5000, 1500), arm('small', 5000, 1200), arm('large', 5000, 1500)],
    { kind: 'no-difference-yet' },
  ],
  [
    'a broken split',
    [arm('control', 5000, 1500), arm('enabled', 4000, 1900)],
    { kind: 'split-broken' },
  ],
])('7.8 the verdict about %s', (_, arms, verdict) => {
  expect(experimentResult(arms).verdict).toEqual(verdict)
})

test('7.8 the effect is the difference of the rates with its interval', () => {
  const { effects } = experimentResult([arm('control', 5000, 1500), arm('enabled', 5000, 1750)])
  const effect = effects.get('enabled')
  expect(effect?.difference).toBeCloseTo(0.05, 12)
  expect(effect?.from).toBeGreaterThan(0.02)
  expect(effect?.to).toBeLessThan(0.08)
  expect((effect?.from ?? 0) + (effect?.to ?? 0)).toBeCloseTo(0.1, 12)
})

test('7.8 looking at an experiment often yields few false winners', () => {
  const { sequence, naive } = simulatedWinners({
    runs: 200,
    visitorsPerArm: 5000,
    every: 250,
    rate: 0.3,
    lift: 0,
    seed: 7,
  })
  expect(sequence).toBeLessThan(0.05)
  expect(naive).toBeGreaterThan(0.15)
})
