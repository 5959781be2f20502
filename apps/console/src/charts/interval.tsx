import { percentText } from '../list/words.ts'
import styles from './charts.module.css'

/** A difference between two rates, from -1 to 1, and the interval that contains it. */
export interface Interval {
  readonly difference: number
  readonly from: number
  readonly to: number
}

const WIDTH = 200
const HEIGHT = 28

/** The widest interval of a table, so that all of its plots have one scale. */
export const scaleOf = (intervals: readonly (Interval | null | undefined)[]): number =>
  Math.max(
    0.01,
    ...intervals.flatMap((each) => (each ? [Math.abs(each.from), Math.abs(each.to)] : [])),
  )

/** An interval around its difference; the line in the middle is no difference. The words beside it say the same. */
export function IntervalPlot({ interval, scale }: { interval: Interval; scale: number }) {
  const x = (value: number) => WIDTH / 2 + (value / scale) * (WIDTH / 2 - 4)
  const { difference, from, to } = interval
  const tone = from > 0 ? 'better' : to < 0 ? 'worse' : 'open'
  return (
    <svg
      className={styles.interval}
      data-tone={tone}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
    >
      <line data-part="zero" x1={WIDTH / 2} x2={WIDTH / 2} y1="2" y2={HEIGHT - 2} />
      <line data-part="range" x1={x(from)} x2={x(to)} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      <circle cx={x(difference)} cy={HEIGHT / 2} r="5" />
    </svg>
  )
}

/** Percentage points with a sign. */
const pointsText = (value: number) => `${value > 0 ? '+' : ''}${percentText(value)}`

export const intervalText = ({ difference, from, to }: Interval): string =>
  `${pointsText(difference)} (${pointsText(from)} to ${pointsText(to)})`
