/** Reads Insight: funnels with the errors that visitors saw, and counts over time, each compared with the previous period. */
import {
  type FunnelAnswer,
  type FunnelQuery,
  MAX_INSIGHT_DAYS,
  type SeriesAnswer,
  type SeriesQuery,
} from '@portico/contracts/admin/insight'
import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import { Refusal } from '@portico/contracts/errors'
import { DAY_MS, INSIGHT_HOURS_KEPT_MS } from '@portico/contracts/limits'
import { FUNNEL_STEPS, problemMetric, stepMetric } from '@portico/rules/funnels'
import { isInScope } from '@portico/rules/operator-permissions'
import type { Clock } from '../../clock.ts'
import type { Stores } from '../../stores.ts'
import { csvLine } from '../csv.ts'
import type { Operator } from '../operators/operators.ts'
import { OTHER_REASONS } from './count-insight.ts'
import type { InsightRange } from './insight.store.ts'

const HOUR_MS = 60 * 60 * 1000
/** The longest range shown by hour, provided its hours and those of the previous period are still stored. */
const MAX_HOURLY_DAYS = 3
const MAX_SERIES = 20

const COLUMNS = { organization: 'organizationCode', label: 'label', device: 'device' } as const

const KNOWN_REASONS = [...Object.keys(ERROR_CATALOG), ...OTHER_REASONS]

export function insightReader(deps: {
  readonly stores: Pick<Stores, 'insight'>
  readonly clock: Clock
}) {
  const { stores, clock } = deps

  const countedUntil = async () => (await stores.insight.firstUncounted()) ?? clock()

  async function readFunnel(operator: Operator, query: FunnelQuery): Promise<FunnelAnswer> {
    const { funnel } = query
    const { range, before } = rangesOf(operator, query)
    const { steps } = FUNNEL_STEPS[funnel]
    const stepMetrics = steps.map((_, step) => stepMetric(funnel, step))
    const reasonMetrics = KNOWN_REASONS.map((reason) => problemMetric(funnel, reason))
    const metrics = [...stepMetrics, ...reasonMetrics]
    const [counts, countsBefore, until] = await Promise.all([
      stores.insight.totals(metrics, range),
      stores.insight.totals(metrics, before),
      countedUntil(),
    ])
    const compared = (metric: string) => ({
      count: counts.get(metric) ?? 0,
      before: countsBefore.get(metric) ?? 0,
    })
    return {
      steps: steps.map((step, index) => ({ step, ...compared(stepMetric(funnel, index)) })),
      reasons: KNOWN_REASONS.map((reason) => ({
        reason,
        message: messageOf(reason),
        ...compared(problemMetric(funnel, reason)),
      }))
        .filter(({ count, before: earlier }) => count > 0 || earlier > 0)
        .toSorted((one, other) => other.count - one.count || other.before - one.before),
      countedUntil: until,
    }
  }

  async function readSeries(operator: Operator, query: SeriesQuery): Promise<SeriesAnswer> {
    const { range, before } = rangesOf(operator, query)
    const isHourly =
      range.until - range.from <= MAX_HOURLY_DAYS * DAY_MS &&
      before.from >= clock() - INSIGHT_HOURS_KEPT_MS
    const table = isHourly ? 'insightHours' : 'insightDays'
    const stepMs = isHourly ? HOUR_MS : DAY_MS
    const length = (range.until - range.from) / stepMs
    const by = query.by === undefined ? undefined : COLUMNS[query.by]
    const [rows, rowsBefore, until] = await Promise.all([
      stores.insight.series(table, query.metric, range, by),
      stores.insight.series(table, query.metric, before, by),
      countedUntil(),
    ])
    const byName = new Map<string, { counts: number[]; before: number[] }>()
    const add = (part: 'counts' | 'before', from: number, list: typeof rows) => {
      for (const { name, startsAt, count } of list) {
        const series = byName.get(name) ?? { counts: zeros(length), before: zeros(length) }
        byName.set(name, series)
        series[part][(startsAt - from) / stepMs] = count
      }
    }
    add('counts', range.from, rows)
    add('before', before.from, rowsBefore)
    if (by === undefined && byName.size === 0) {
      byName.set('', { counts: zeros(length), before: zeros(length) })
    }
    const series = [...byName]
      .map(([name, each]) => ({
        name,
        ...each,
        total: sum(each.counts),
        totalBefore: sum(each.before),
      }))
      .toSorted((one, other) => other.total - one.total || (one.name < other.name ? -1 : 1))
    const rest = series.slice(MAX_SERIES)
    return {
      resolution: isHourly ? 'hour' : 'day',
      times: zeros(length).map((_, index) => range.from + index * stepMs),
      series: [
        ...series.slice(0, MAX_SERIES),
        ...(rest.length === 0
          ? []
          : [
              {
                name: 'other',
                counts: columnSums(rest.map(({ counts }) => counts)),
                before: columnSums(rest.map((each) => each.before)),
                total: sum(rest.map(({ total }) => total)),
                totalBefore: sum(rest.map(({ totalBefore }) => totalBefore)),
              },
            ]),
      ],
      countedUntil: until,
    }
  }

  return {
    readFunnel,
    readSeries,

    async exportFunnel(operator: Operator, query: FunnelQuery): Promise<string> {
      const { steps, reasons } = await readFunnel(operator, query)
      return [
        csvLine(['kind', 'name', 'visits', 'visits in the period before']),
        ...steps.map(({ step, count, before }) => csvLine(['step', step, count, before])),
        ...reasons.map(({ reason, count, before }) => csvLine(['error', reason, count, before])),
      ].join('')
    },

    async exportSeries(operator: Operator, query: SeriesQuery): Promise<string> {
      const { times, series } = await readSeries(operator, query)
      return [
        csvLine(['time', query.by ?? 'series', 'count', 'count in the period before']),
        ...series.flatMap(({ name, counts, before }) =>
          times.map((time, index) =>
            csvLine([new Date(time).toISOString(), name, counts[index] ?? 0, before[index] ?? 0]),
          ),
        ),
      ].join('')
    },
  }
}

/**
 * A query's range and the period of the same length before it.
 *
 * @throws Refusal - `not-found` for an organization outside the operator's scope, `invalid-request` for an invalid range
 */
function rangesOf(
  operator: Operator,
  { from, to, organizationCode, label, device }: FunnelQuery | SeriesQuery,
): { readonly range: InsightRange; readonly before: InsightRange } {
  const scope = operator.scopeOf('insight.read')
  if (organizationCode !== undefined && !isInScope(scope, organizationCode)) {
    throw new Refusal('not-found')
  }
  const [begin, until] = [Date.parse(from), Date.parse(to) + DAY_MS]
  const length = until - begin
  if (length <= 0 || length > MAX_INSIGHT_DAYS * DAY_MS) {
    throw new Refusal('invalid-request', {
      errors: [`The range must have 1 to ${MAX_INSIGHT_DAYS} days.`],
    })
  }
  const filters = { scope, organizationCode, label, device }
  return {
    range: { from: begin, until, ...filters },
    before: { from: begin - length, until: begin, ...filters },
  }
}

function messageOf(reason: string): string {
  const entries: Readonly<Record<string, { readonly message: string } | undefined>> = ERROR_CATALOG
  return entries[reason]?.message ?? ''
}

const zeros = (length: number) => Array.from({ length }, () => 0)

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

const columnSums = (rows: readonly (readonly number[])[]) =>
  (rows[0] ?? []).map((_, index) => sum(rows.map((row) => row[index] ?? 0)))
