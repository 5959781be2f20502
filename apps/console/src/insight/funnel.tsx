import { formatNumber, formatPercent } from '@portico/rules/format'
import { type ReactNode, useId } from 'react'
import { Table } from '../list/list.tsx'

import styles from './charts.module.css'

/** A step of a funnel with the number of visits that reached it. */
export interface FunnelStep {
  readonly name: string
  readonly title: string
  readonly count: number
  /** The number in the previous period. */
  readonly countBefore?: number | undefined
}

const BAR_HEIGHT = 28
const ROW_HEIGHT = 44
const WIDTH = 400

/** The share of `count` in `whole`; undefined if `whole` is zero. */
const shareOf = (count: number, whole: number | undefined) =>
  whole === undefined || whole === 0 ? undefined : count / whole

/** The step before which most visits end; undefined if none do. */
export function largestLoss(steps: readonly FunnelStep[]): FunnelStep | undefined {
  const losses = steps.slice(1).map((step, index) => ({
    step,
    lost: (steps[index]?.count ?? 0) - step.count,
  }))
  const [largest] = losses.toSorted((one, other) => other.lost - one.lost)
  return largest !== undefined && largest.lost > 0 ? largest.step : undefined
}

/** A funnel as bars, with a table of the same numbers. The title states the finding. */
export function Funnel({
  title,
  steps,
  children,
}: {
  title: string
  steps: readonly FunnelStep[]
  /** More about the steps, below the table. */
  children?: ReactNode
}) {
  const id = useId()
  const first = steps[0]?.count
  const loss = largestLoss(steps)
  const finding =
    first === undefined || first === 0
      ? 'Not enough data'
      : loss === undefined
        ? 'Every visit got through'
        : `Most visits end before “${loss.title}”`
  const scale = Math.max(1, ...steps.flatMap(({ count, countBefore = 0 }) => [count, countBefore]))
  const isCompared = steps.some(({ countBefore }) => countBefore !== undefined)
  return (
    <section className={styles.chart} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <p>{finding}</p>
      </header>
      <div className={styles.beside}>
        <svg
          className={styles.funnel}
          viewBox={`0 0 ${WIDTH} ${steps.length * ROW_HEIGHT}`}
          preserveAspectRatio="none"
          height={steps.length * ROW_HEIGHT}
          aria-hidden="true"
        >
          {steps.map(({ name, count, countBefore }, index) => {
            const y = index * ROW_HEIGHT + (ROW_HEIGHT - BAR_HEIGHT) / 2
            const next = steps[index + 1]
            const end = (count / scale) * WIDTH
            const nextEnd = next && (next.count / scale) * WIDTH
            return (
              <g key={name}>
                {nextEnd !== undefined && (
                  <path
                    data-part="fall"
                    d={`M0 ${y + BAR_HEIGHT}H${end}L${nextEnd} ${y + ROW_HEIGHT}H0Z`}
                  />
                )}
                <rect data-part="bar" x="0" y={y} width={end} height={BAR_HEIGHT} />
                {countBefore !== undefined && (
                  <line
                    data-part="before"
                    x1={(countBefore / scale) * WIDTH}
                    x2={(countBefore / scale) * WIDTH}
                    y1={y - 4}
                    y2={y + BAR_HEIGHT + 4}
                  />
                )}
              </g>
            )
          })}
        </svg>
        <Table
          label={title}
          items={steps.map((step, index) => ({ ...step, index }))}
          keyOf={({ name }) => name}
          columns={[
            { title: 'Step', renderCell: (step) => step.title },
            { title: 'Visits', renderCell: ({ count }) => formatNumber(count), isNumber: true },
            {
              title: 'Of all',
              renderCell: ({ count }) => shareText(shareOf(count, first)),
              isNumber: true,
            },
            {
              title: 'Of the step before',
              renderCell: ({ count, index }) =>
                index === 0 ? '' : shareText(shareOf(count, steps[index - 1]?.count)),
              isNumber: true,
            },
            ...(isCompared
              ? [
                  {
                    title: 'Before',
                    renderCell: ({ countBefore }: FunnelStep) =>
                      countBefore === undefined ? '' : formatNumber(countBefore),
                    isNumber: true as const,
                  },
                ]
              : []),
          ]}
        />
      </div>
      {isCompared && (
        <p className={styles.key}>
          <span data-part="before" /> The line across a bar: the previous period
        </p>
      )}
      {children}
    </section>
  )
}

const shareText = (share: number | undefined) => (share === undefined ? '' : formatPercent(share))
