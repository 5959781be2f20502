/** Runs of experiments (§7.8): a split of visitors that is started, read at any time, and ended, but never changed. */
import * as z from 'zod/mini'
import { call } from '../call.ts'
import { EXPERIMENT_KEYS } from '../experiment-keys.ts'
import { ADMIN_PATH } from '../limits.ts'
import { Label, OrgCode } from '../organization.ts'
import { Uuid } from '../text.ts'
import { FUNNELS } from './insight.ts'
import { Reason } from './operators.ts'
import { ApprovalNeeded } from './second-operator.ts'

const PATH = `${ADMIN_PATH}/experiments`

/** A run needs no end because it can be read at any time, but a schedule must be a real time. */
const Time = z.int().check(z.minimum(0), z.maximum(8_640_000_000_000_000))

/** Visitors are assigned to ten thousand buckets, so finer shares are impossible. */
const Percent = z
  .number()
  .check(
    z.refine(
      (share) =>
        share > 0 && share <= 100 && Math.abs(share * 100 - Math.round(share * 100)) < 1e-6,
      'must be a percentage above 0, up to 100, with at most two decimals',
    ),
  )

export const RunSplit = z.strictObject({
  /** The share of the audience that gets the treatment; the others are the control group. */
  percent: Percent,
  /** By default all organizations. */
  organizations: z.optional(z.array(OrgCode).check(z.minLength(1), z.maxLength(500))),
  /** By default pages with any label or none. */
  labels: z.optional(z.array(Label).check(z.minLength(1))),
  /** The funnel that visitors complete if the experiment succeeds. */
  outcome: z.enum(FUNNELS),
})

export type RunSplit = z.output<typeof RunSplit>

/** What the audience gets after the end: whatever the file says, the treatment for everyone, or for no one. */
export const AFTERWARDS = ['file', 'everyone', 'no-one'] as const

export type Afterwards = (typeof AFTERWARDS)[number]

const Key = z.enum(EXPERIMENT_KEYS)

const Run = z.object({
  runId: z.string(),
  key: Key,
  split: RunSplit,
  state: z.enum(['scheduled', 'running', 'ended']),
  startsAt: z.number(),
  stopsAt: z.nullable(z.number()),
  endedAt: z.nullable(z.number()),
  afterwards: z.nullable(z.enum(AFTERWARDS)),
  createdAt: z.number(),
  reason: z.string(),
  endReason: z.nullable(z.string()),
})

export type Run = z.output<typeof Run>

/** The experiments server, as the node that answers read it last. */
export const ExperimentsServer = z.object({
  /** `encrypted`: it encrypts its rules, and Portico has no key. In both failures the earlier rules or the files decide. */
  state: z.enum(['read', 'encrypted', 'unreadable']),
})

export type ExperimentsServer = z.output<typeof ExperimentsServer>

export const listExperiments = call({
  name: 'listExperiments',
  summary: 'List the experiments with their files and their runs, newest first.',
  method: 'GET',
  path: PATH,
  auth: 'operator',
  permission: 'experiments.read',
  answer: z.object({
    items: z.array(
      z.object({
        key: Key,
        /** The file's rule, which decides for visitors outside of runs; null without a file. */
        file: z.nullable(
          z.object({ description: z.string(), on: z.boolean(), percent: z.number() }),
        ),
        runs: z.array(Run),
      }),
    ),
    /** Absent without an experiments server, or before its first response. */
    server: z.optional(ExperimentsServer),
  }),
})

export type ExperimentList = z.output<(typeof listExperiments)['answer']>

export const startExperiment = call({
  name: 'startExperiment',
  summary:
    'Start a run, now or at a set time. Refused while the experiment has another run that has not ended.',
  method: 'POST',
  path: `${PATH}/start`,
  auth: 'operator',
  permission: 'experiments.write',
  stepUp: true,
  body: z.strictObject({
    key: Key,
    split: RunSplit,
    /** By default now. */
    startsAt: z.optional(Time),
    /** By default it runs until it is ended. */
    stopsAt: z.optional(Time),
    reason: Reason,
  }),
  answer: Run,
  accepted: ApprovalNeeded,
  refusals: ['not-found', 'invalid-request', 'experiment-running'],
})

export const endExperiment = call({
  name: 'endExperiment',
  summary: 'End a run. This cannot be undone.',
  method: 'POST',
  path: `${PATH}/end`,
  auth: 'operator',
  permission: 'experiments.write',
  stepUp: true,
  body: z.strictObject({ runId: Uuid, afterwards: z.enum(AFTERWARDS), reason: Reason }),
  answer: Run,
  accepted: ApprovalNeeded,
  refusals: ['not-found', 'experiment-ended'],
})

const Interval = z.object({ difference: z.number(), from: z.number(), to: z.number() })

export const readExperimentResult = call({
  name: 'readExperimentResult',
  summary: 'Read the visitors, outcomes and verdict of a run. The verdict is valid at any time.',
  method: 'GET',
  path: `${PATH}/result`,
  auth: 'operator',
  permission: 'experiments.read',
  query: z.strictObject({ runId: Uuid }),
  answer: z.object({
    run: Run,
    /** `arm` is the winner. */
    verdict: z.object({
      kind: z.enum(['winner', 'no-difference-yet', 'not-enough-data', 'split-broken']),
      arm: z.nullable(z.string()),
    }),
    arms: z.array(
      z.object({
        name: z.string(),
        percent: z.number(),
        visitors: z.int(),
        outcomes: z.int(),
        rate: z.nullable(z.number()),
        /**
         * A 95 % confidence interval, valid at all times, for the difference between this arm's rate and the control's, from
         * -1 to 1.
         */
        effect: z.nullable(Interval),
      }),
    ),
    /** Exposures that were not counted, because their network already had 20 new visitors that day: trackers may be invented. */
    leftOutExposures: z.int(),
    /** All outcomes by arm, including those that the run was not started for, which have no verdict. */
    otherOutcomes: z.array(
      z.object({ outcome: z.enum(FUNNELS), arm: z.string(), outcomes: z.int() }),
    ),
  }),
  refusals: ['not-found'],
})

export type ExperimentResultAnswer = z.output<(typeof readExperimentResult)['answer']>

export const ADMIN_EXPERIMENT_CALLS = [
  listExperiments,
  startExperiment,
  endExperiment,
  readExperimentResult,
] as const
