/** Insight: funnels and counts over time. Every choice is in the URL. */

import {
  DEVICES,
  exportFunnel,
  exportSeries,
  FUNNELS,
  type FunnelAnswer,
  MAX_INSIGHT_DAYS,
  readFunnel,
  readSeries,
  SERIES,
  SERIES_DIVISIONS,
  type SeriesAnswer,
} from '@portico/contracts/admin/insight'
import { formatNumber, formatPercent, formatTime } from '@portico/rules/format'
import type { Here } from '@portico/rules/wallet-redirects'
import { useLoad } from '@portico/shell/use-call'
import { Button } from '@portico/ui/button'
import { Select } from '@portico/ui/select'
import { Skeleton } from '@portico/ui/skeleton'
import { TextField } from '@portico/ui/text-field'
import { type ReactNode, type SubmitEvent, useId, useState } from 'react'
import { Download } from '../download/download.tsx'
import { useEnvironment } from '../environment.ts'
import { LoadFailed, Table } from '../list/list.tsx'
import { addressWith, openPage, parameter, useHere } from '../location.ts'
import { organizationName, useOperator } from '../operator/operator.tsx'
import { PageHead } from '../page-head/page-head.tsx'
import { FUNNEL_TEXTS, utcDayText } from '../texts.ts'
import { Funnel } from './funnel.tsx'
import styles from './insight.module.css'
import { DEVICE_TEXTS, metricText, reasonText, stepText } from './insight-texts.ts'
import { MAX_LINES, SeriesPlot } from './series.tsx'

const DAY_MS = 86_400_000
const RANGES = [7, 28, 90, 365] as const
/** Instead of a number of days: the days in the URL. */
const CHOSEN = 'chosen'

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

const one = <Value extends string>(values: readonly Value[], text: string | undefined) =>
  values.find((value) => value === text)

export function Insight() {
  const here = useHere()
  const { now } = useEnvironment()
  const { client } = useOperator()
  const period = periodOf(here, now())
  const device = one(DEVICES, parameter(here, 'device'))
  const by = one(SERIES_DIVISIONS, parameter(here, 'by'))
  const funnel = one(FUNNELS, parameter(here, 'funnel')) ?? 'sign-in'
  const metric = one(SERIES, parameter(here, 'metric')) ?? 'visits'
  const organizationCode = parameter(here, 'organization')
  const range = {
    from: period.from,
    to: period.to,
    ...(organizationCode !== undefined && { organizationCode }),
    ...(device !== undefined && { device }),
  }
  const funnelQuery = { ...range, funnel }
  const seriesQuery = { ...range, metric, ...(by !== undefined && { by }) }
  return (
    <>
      <PageHead
        title="Insight"
        facts="Counts of visits, compared with the previous period. They contain no personal data. Days are in UTC."
      />
      <div className={styles.filters}>
        <Choice
          here={here}
          label="Period"
          name="days"
          value={period.days}
          options={[
            ...RANGES.map((each) => [String(each), `Last ${each} days`] as const),
            [CHOSEN, 'Custom dates'],
          ]}
          others={(days) =>
            days === CHOSEN
              ? { from: period.from, to: period.to }
              : { from: undefined, to: undefined }
          }
        />
        {period.days === CHOSEN && <Days key={here.query} here={here} {...period} />}
        <Choice
          here={here}
          label="Device"
          name="device"
          value={device ?? ''}
          options={[
            ['', 'All devices'],
            ...DEVICES.map((each) => [each, DEVICE_TEXTS[each]] as const),
          ]}
        />
      </div>
      <div className={styles.filters}>
        <Choice
          here={here}
          label="Funnel"
          name="funnel"
          value={funnel}
          options={FUNNELS.map((each) => [each, FUNNEL_TEXTS[each]])}
        />
        <Download name={`funnel-${funnel}.csv`} path={exportFunnel.path} query={funnelQuery}>
          Download CSV
        </Download>
      </div>
      <Loaded
        key={`funnel ${JSON.stringify(funnelQuery)}`}
        label="Loading the funnel"
        load={(signal) => client(readFunnel, { query: funnelQuery, signal })}
      >
        {(answer) => <FunnelView title={FUNNEL_TEXTS[funnel]} answer={answer} />}
      </Loaded>
      <div className={styles.filters}>
        <Choice
          here={here}
          label="Count"
          name="metric"
          value={metric}
          options={SERIES.map((each) => [each, metricText(each)])}
        />
        <Choice
          here={here}
          label="Split"
          name="by"
          value={by ?? ''}
          options={[
            ['', 'All together'],
            ['organization', 'By organization'],
            ['label', 'By label'],
            ['device', 'By device'],
          ]}
        />
        <Download name={`${metric}.csv`} path={exportSeries.path} query={seriesQuery}>
          Download CSV
        </Download>
      </div>
      <Loaded
        key={`series ${JSON.stringify(seriesQuery)}`}
        label="Loading the counts"
        load={(signal) => client(readSeries, { query: seriesQuery, signal })}
      >
        {(answer) => <SeriesView title={metricText(metric)} by={by} answer={answer} />}
      </Loaded>
    </>
  )
}

/** The first and the last day, in UTC like the server's counts. */
function periodOf(here: Here, now: number): { days: string; from: string; to: string } {
  const days = RANGES.find((range) => String(range) === parameter(here, 'days')) ?? 28
  const standard = { from: dayOf(now - (days - 1) * DAY_MS), to: dayOf(now) }
  return parameter(here, 'days') === CHOSEN
    ? {
        days: CHOSEN,
        from: parameter(here, 'from') ?? standard.from,
        to: parameter(here, 'to') ?? standard.to,
      }
    : { days: String(days), ...standard }
}

/** The date fields of a custom period. */
function Days({ here, from, to }: { here: Here; from: string; to: string }) {
  const [error, setError] = useState<string>()
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const [first, last] = [data.get('from'), data.get('to')]
    if (typeof first !== 'string' || typeof last !== 'string') return
    const length = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1
    if (!(length >= 1 && length <= MAX_INSIGHT_DAYS)) {
      setError(`Choose 1 to ${MAX_INSIGHT_DAYS} days, starting with the first.`)
      return
    }
    openPage(addressWith(here, { from: first, to: last }))
  }
  return (
    <form className={styles.days} onSubmit={onSubmit} noValidate>
      <TextField name="from" type="date" label="From" defaultValue={from} error={error} />
      <TextField name="to" type="date" label="To" defaultValue={to} />
      <Button type="submit" kind="secondary">
        Show
      </Button>
    </form>
  )
}

function Choice({
  here,
  label,
  name,
  value,
  options,
  others,
}: {
  here: Here
  label: string
  /** The URL parameter. */
  name: string
  /** Parameters that change with it. */
  others?: (value: string) => Readonly<Record<string, string | undefined>>
  value: string
  options: readonly (readonly [value: string, text: string])[]
}) {
  const id = useId()
  return (
    <div className={styles.choice}>
      <label htmlFor={id}>{label}</label>
      <Select
        id={id}
        value={value}
        onChange={({ currentTarget }) =>
          openPage(
            addressWith(here, { ...others?.(currentTarget.value), [name]: currentTarget.value }),
          )
        }
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </Select>
    </div>
  )
}

/** Content that is loaded, and loaded again when the browser is back online. */
function Loaded<Result>({
  label,
  load,
  children,
}: {
  label: string
  load: (signal: AbortSignal) => Promise<Result>
  children: (result: Result) => ReactNode
}) {
  const { reportError } = useEnvironment()
  const { result, failure, retry } = useLoad(load, reportError)
  if (failure !== undefined) {
    return <LoadFailed failure={failure} onRetry={retry} />
  }
  if (result === undefined) return <Skeleton shape="card" count={3} label={label} />
  return children(result)
}

function FunnelView({ title, answer }: { title: string; answer: FunnelAnswer }) {
  const id = useId()
  return (
    <Funnel
      title={title}
      steps={answer.steps.map(({ step, count, before }) => ({
        name: step,
        title: stepText(step),
        count,
        countBefore: before,
      }))}
    >
      <section aria-labelledby={id} className={styles.reasons}>
        <h3 id={id}>Errors that people saw on the way</h3>
        {answer.reasons.length === 0 ? (
          <p className={styles.quiet}>None in this period.</p>
        ) : (
          <Table
            label="Errors that people saw on the way"
            items={answer.reasons}
            keyOf={({ reason }) => reason}
            columns={[
              { title: 'Error', renderCell: reasonText },
              { title: 'Visits', renderCell: ({ count }) => formatNumber(count), isNumber: true },
              { title: 'Before', renderCell: ({ before }) => formatNumber(before), isNumber: true },
            ]}
          />
        )}
      </section>
      <Counted until={answer.countedUntil} />
    </Funnel>
  )
}

function SeriesView({
  title,
  by,
  answer: { resolution, times, series, countedUntil },
}: {
  title: string
  by: (typeof SERIES_DIVISIONS)[number] | undefined
  answer: SeriesAnswer
}) {
  const id = useId()
  const { operator } = useOperator()
  const nameOf = (name: string) => {
    if (by === undefined) return 'This period'
    if (name === '') return 'Unknown'
    if (by === 'organization') return organizationName(operator, name)
    return by === 'device' ? (DEVICE_TEXTS[name as keyof typeof DEVICE_TEXTS] ?? name) : name
  }
  const [only] = series
  const total = series.reduce((sum, each) => sum + each.total, 0)
  const before = series.reduce((sum, each) => sum + each.totalBefore, 0)
  return (
    <section className={styles.series} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <p className={styles.quiet}>{changeText(total, before)}</p>
      </header>
      {total + before > 0 && (
        <SeriesPlot
          times={times}
          timeText={resolution === 'hour' ? formatTime : utcDayText}
          lines={
            by === undefined && only !== undefined
              ? [
                  { name: 'This period', values: only.counts },
                  { name: 'Before', values: only.before, isBefore: true },
                ]
              : series
                  .slice(0, MAX_LINES)
                  .map(({ name, counts }) => ({ name: nameOf(name), values: counts }))
          }
        />
      )}
      <Table
        label={title}
        items={series}
        keyOf={({ name }) => name}
        columns={[
          { title: by === undefined ? 'Period' : 'Name', renderCell: ({ name }) => nameOf(name) },
          { title: 'Count', renderCell: (each) => formatNumber(each.total), isNumber: true },
          { title: 'Before', renderCell: (each) => formatNumber(each.totalBefore), isNumber: true },
          {
            title: 'Change',
            renderCell: (each) =>
              each.totalBefore === 0 ? '–' : signed(each.total / each.totalBefore - 1),
            isNumber: true,
          },
        ]}
      />
      {series.length > MAX_LINES && (
        <p className={styles.quiet}>The plot shows the {MAX_LINES} largest.</p>
      )}
      <details className={styles.values}>
        <summary>{resolution === 'hour' ? 'By hour' : 'By day'}</summary>
        <Table
          label={`${title} over time`}
          items={times.map((time, index) => ({ time, index }))}
          keyOf={({ time }) => String(time)}
          columns={[
            {
              title: resolution === 'hour' ? 'Hour' : 'Day',
              renderCell: ({ time }) =>
                resolution === 'hour' ? formatTime(time) : utcDayText(time),
            },
            ...series.slice(0, MAX_LINES).map(({ name, counts }) => ({
              title: nameOf(name),
              renderCell: ({ index }: { index: number }) => formatNumber(counts[index] ?? 0),
              isNumber: true as const,
            })),
          ]}
        />
      </details>
      <Counted until={countedUntil} />
    </section>
  )
}

const signed = (share: number) => `${share > 0 ? '+' : ''}${formatPercent(share)}`

/** States the change since the previous period. */
function changeText(total: number, before: number): string {
  if (total + before === 0) return 'Not enough data'
  if (before === 0) return `${formatNumber(total)}, none in the previous period`
  return `${formatNumber(total)}, ${signed(total / before - 1)} compared with the previous period`
}

function Counted({ until }: { until: number }) {
  return <p className={styles.quiet}>Counted until {formatTime(until)}.</p>
}
