import { expect, test } from 'vitest'
import { simulatedWinners } from './simulated-experiments.ts'

const EXPERIMENTS = { runs: 3000, visitorsPerArm: 10_000, every: 250, rate: 0.3, seed: 15 }

test('7.8 in 3,000 experiments without a difference, fewer than 5 % have a winner at any of 40 looks', () => {
  const { sequence, naive, fixed } = simulatedWinners({ ...EXPERIMENTS, lift: 0 })
  expect(sequence).toBeLessThan(0.05)
  // The simulation is sound: a single test at the end has its nominal 5 %, and testing at every look about 31 %.
  expect(fixed).toBeGreaterThan(0.035)
  expect(fixed).toBeLessThan(0.065)
  expect(naive).toBeGreaterThan(0.27)
  expect(naive).toBeLessThan(0.35)
})

test('7.8 of 3,000 experiments with three points more on 30 %, nine in ten have a winner', () => {
  const { sequence } = simulatedWinners({ ...EXPERIMENTS, lift: 0.03 })
  expect(sequence).toBeGreaterThan(0.9)
})
