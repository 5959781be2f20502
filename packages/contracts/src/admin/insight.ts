/** Insight: funnels, time series and the errors that visitors saw, as counts without personal data. */
import * as z from 'zod/mini'
import { Bytes, call } from '../call.ts'
import { ADMIN_PATH } from '../limits.ts'
import { Label } from '../organization.ts'
import { visibleText } from '../text.ts'

export const FUNNELS = [
  'sign-in',
  'registration',
  'recovery',
  'wallet',
  'onboarding',
  'passport',
] as const

export type Funnel = (typeof FUNNELS)[number]

/** The audit kinds that are counted by organization. */
export const COUNTED_KINDS = [
  'account-deleted',
  'new-device',
  'passcode-refused',
  'passkey-added',
  'passport-approved',
  'password-set',
  'registered',
  'second-factor-refused',
  'sign-in-locked',
  'sign-in-refused',
  'signed-in',
  'wallet-attached',
] as const

/** What is counted by hour and day besides the steps and problems of funnels. */
export const SERIES = ['visits', 'page-views', 'problems', ...COUNTED_KINDS] as const

export const DEVICES = ['phone', 'tablet', 'desktop'] as const

export type Device = (typeof DEVICES)[number]

/** The maximum number of days in a range. */
export const MAX_INSIGHT_DAYS = 400

const Day = z.string().check(
  z.regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date: YYYY-MM-DD'),
  z.refine((day) => !Number.isNaN(Date.parse(day)), 'must be a date: YYYY-MM-DD'),
)

/** Days in UTC, inclusive, and filters. */
const Range = {
  from: Day,
  to: Day,
  organizationCode: z.optional(visibleText({ max: 64 })),
  label: z.optional(Label),
  device: z.optional(z.enum(DEVICES)),
}

const FunnelQuery = z.strictObject({ ...Range, funnel: z.enum(FUNNELS) })

export type FunnelQuery = z.output<typeof FunnelQuery>

export const SERIES_DIVISIONS = ['organization', 'label', 'device'] as const

const SeriesQuery = z.strictObject({
  ...Range,
  metric: z.enum(SERIES),
  /** By default one series for all. */
  by: z.optional(z.enum(SERIES_DIVISIONS)),
})

export type SeriesQuery = z.output<typeof SeriesQuery>

/** A count in the range and in the preceding period of the same length. */
const Compared = { count: z.int(), before: z.int() }

export const readFunnel = call({
  name: 'readFunnel',
  summary: 'Read how many visits reached each step of a funnel, and the errors they were shown.',
  method: 'GET',
  path: `${ADMIN_PATH}/insight/funnel`,
  auth: 'operator',
  permission: 'insight.read',
  query: FunnelQuery,
  answer: z.object({
    /** Visits that began in the range, by last step reached. Each also counts for the earlier steps. */
    steps: z.array(z.object({ step: z.string(), ...Compared })),
    /** Errors by the number of visits that saw them on a page of the funnel, most frequent first. */
    reasons: z.array(z.object({ reason: z.string(), message: z.string(), ...Compared })),
    /** The time up to which visits are counted. */
    countedUntil: z.number(),
  }),
  refusals: ['not-found', 'invalid-request'],
})

export type FunnelAnswer = z.output<(typeof readFunnel)['answer']>

export const readSeries = call({
  name: 'readSeries',
  summary: 'Read a count over time: by hour for at most three days, otherwise by day.',
  method: 'GET',
  path: `${ADMIN_PATH}/insight/series`,
  auth: 'operator',
  permission: 'insight.read',
  query: SeriesQuery,
  answer: z.object({
    resolution: z.enum(['hour', 'day']),
    /** When each hour or day begins. */
    times: z.array(z.number()),
    /** Largest first; at most twenty, the rest as `other`. `name` is empty if it is unknown or without `by`. */
    series: z.array(
      z.object({
        name: z.string(),
        counts: z.array(z.int()),
        /** The counts of the preceding period. */
        before: z.array(z.int()),
        total: z.int(),
        totalBefore: z.int(),
      }),
    ),
    countedUntil: z.number(),
  }),
  refusals: ['not-found', 'invalid-request'],
})

export type SeriesAnswer = z.output<(typeof readSeries)['answer']>

export const exportFunnel = call({
  name: 'exportFunnel',
  summary: 'Download a funnel and the errors as CSV.',
  method: 'GET',
  path: `${ADMIN_PATH}/insight/funnel.csv`,
  auth: 'operator',
  permission: 'insight.read',
  query: FunnelQuery,
  answer: Bytes,
  refusals: ['not-found', 'invalid-request'],
})

export const exportSeries = call({
  name: 'exportSeries',
  summary: 'Download a count over time as CSV.',
  method: 'GET',
  path: `${ADMIN_PATH}/insight/series.csv`,
  auth: 'operator',
  permission: 'insight.read',
  query: SeriesQuery,
  answer: Bytes,
  refusals: ['not-found', 'invalid-request'],
})

export const INSIGHT_CALLS = [readFunnel, readSeries, exportFunnel, exportSeries] as const
