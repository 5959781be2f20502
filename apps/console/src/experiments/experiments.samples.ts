import type {
  ExperimentList,
  ExperimentResultAnswer,
  Run,
} from '@portico/contracts/admin/experiments'
import type { Answers } from '../testing.tsx'

const STARTED = Date.UTC(2026, 10, 9, 8)

export const RUN: Run = {
  runId: '5e0c2b7a-1f3d-4c6e-8a9b-0d1e2f3a4b10',
  key: 'partner-simplified-onboarding',
  split: { percent: 50, outcome: 'onboarding', organizations: ['FIGURE', 'HARBORLINE'] },
  state: 'running',
  startsAt: STARTED,
  stopsAt: null,
  endedAt: null,
  afterwards: null,
  createdAt: STARTED,
  reason: 'The partner asked for fewer steps.',
  endReason: null,
}

const ENDED: Run = {
  ...RUN,
  runId: '5e0c2b7a-1f3d-4c6e-8a9b-0d1e2f3a4b11',
  split: { percent: 10, outcome: 'onboarding' },
  state: 'ended',
  startsAt: STARTED - 30 * 86_400_000,
  endedAt: STARTED - 86_400_000,
  afterwards: 'file',
  reason: 'A careful first look.',
  endReason: 'Half of the visitors get it next.',
}

export const RESULT: ExperimentResultAnswer = {
  run: RUN,
  verdict: { kind: 'winner', arm: 'enabled' },
  arms: [
    { name: 'control', percent: 50, visitors: 4120, outcomes: 1236, rate: 0.3, effect: null },
    {
      name: 'enabled',
      percent: 50,
      visitors: 4087,
      outcomes: 1406,
      rate: 0.344,
      effect: { difference: 0.044, from: 0.007, to: 0.081 },
    },
  ],
  leftOutExposures: 37,
  otherOutcomes: [
    { outcome: 'sign-in', arm: 'control', outcomes: 2210 },
    { outcome: 'sign-in', arm: 'enabled', outcomes: 2198 },
  ],
}

/** A run with too little data. */
export const EARLY_RESULT: ExperimentResultAnswer = {
  ...RESULT,
  verdict: { kind: 'not-enough-data', arm: null },
  arms: [
    { name: 'control', percent: 50, visitors: 12, outcomes: 3, rate: 0.25, effect: null },
    { name: 'enabled', percent: 50, visitors: 9, outcomes: 4, rate: 0.444, effect: null },
  ],
  leftOutExposures: 0,
  otherOutcomes: [],
}

export const EXPERIMENTS = {
  listExperiments: {
    items: [
      { key: 'broker-agent-login', file: { description: '', on: true, percent: 100 }, runs: [] },
      { key: 'broker-customer-login', file: null, runs: [] },
      {
        key: 'partner-simplified-onboarding',
        file: { description: '', on: false, percent: 0 },
        runs: [RUN, ENDED],
      },
    ],
  } satisfies ExperimentList,
  readExperimentResult: RESULT,
} satisfies Answers
