import { formatNumber } from '@portico/rules/format'
import styles from './charts.module.css'

/** A line with its name at the end. Its dash pattern distinguishes it without color. */
export interface Line {
  readonly name: string
  readonly values: readonly number[]
  /** A thin line for comparison. */
  readonly isBefore?: true
}

/** `charts.module.css` has the shares of the axis and the plot in this width. */
const WIDTH = 960
const HEIGHT = 260
const EDGE = { top: 12, end: 132, bottom: 24, start: 52 }
const DASHES = ['', '7 4', '2 4', '10 3 2 3', '4 2']
/** More lines could not be distinguished; the table has all series. */
export const MAX_LINES = DASHES.length

/** The end of the axis: 1, 2 or 5 times a power of ten, at least the largest value. */
export function axisEnd(largest: number): number {
  if (largest <= 4) return 4
  const power = 10 ** Math.floor(Math.log10(largest))
  return [1, 2, 4, 5, 10].map((each) => each * power).find((end) => end >= largest) ?? largest
}

/** On phones, where the plot scrolls, it begins with the newest values. */
const scrollToEnd = (plot: HTMLDivElement | null) => {
  if (plot !== null) plot.scrollLeft = plot.scrollWidth
}

/** A chart of counts over time. Screen readers use the table beside it. */
export function SeriesPlot({
  times,
  lines,
  timeText,
}: {
  times: readonly number[]
  lines: readonly Line[]
  timeText: (time: number) => string
}) {
  const end = axisEnd(Math.max(0, ...lines.flatMap(({ values }) => values)))
  const grid = [0, end / 4, end / 2, (end * 3) / 4, end]
  const last = Math.max(1, times.length - 1)
  const x = (index: number) => EDGE.start + (index / last) * (WIDTH - EDGE.start - EDGE.end)
  const y = (value: number) =>
    HEIGHT - EDGE.bottom - (value / end) * (HEIGHT - EDGE.top - EDGE.bottom)
  const labels = spreadLabels(lines.map(({ values }) => y(values.at(-1) ?? 0)))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls on phones, also by keyboard
    <div ref={scrollToEnd} className={styles.plot} role="group" aria-label="Plot" tabIndex={0}>
      <svg viewBox={`0 0 ${EDGE.start} ${HEIGHT}`} className={styles.axis} aria-hidden="true">
        {grid.map((value) => (
          <text key={value} x={EDGE.start - 8} y={y(value) + 4} textAnchor="end">
            {formatNumber(value)}
          </text>
        ))}
      </svg>
      <svg
        viewBox={`${EDGE.start} 0 ${WIDTH - EDGE.start} ${HEIGHT}`}
        className={styles.series}
        aria-hidden="true"
      >
        {grid.map((value) => (
          <line
            key={value}
            data-part="grid"
            x1={EDGE.start}
            x2={WIDTH - EDGE.end}
            y1={y(value)}
            y2={y(value)}
          />
        ))}
        {[0, Math.floor(last / 2), last].map((index, position) => (
          <text
            key={`${index} ${position}`}
            x={x(index)}
            y={HEIGHT - 4}
            textAnchor={position === 0 ? 'start' : position === 1 ? 'middle' : 'end'}
          >
            {timeText(times[index] ?? 0)}
          </text>
        ))}
        {lines.map(({ name, values, isBefore }, index) => (
          <g key={name} data-line={index} data-before={isBefore}>
            <polyline
              points={values.map((value, at) => `${x(at)},${y(value)}`).join(' ')}
              strokeDasharray={isBefore ? '2 4' : DASHES[index % DASHES.length]}
            />
            <text x={WIDTH - EDGE.end + 8} y={(labels[index] ?? 0) + 4}>
              {name.length > 18 ? `${name.slice(0, 17)}…` : name}
            </text>
          </g>
        ))}
      </svg>
    </div>
  )
}

/** Moves labels apart, so that none covers another. */
export function spreadLabels(places: readonly number[], distance = 16): readonly number[] {
  const order = places
    .map((place, index) => ({ place, index }))
    .toSorted((a, b) => a.place - b.place)
  const spread = [...places]
  let lowest = Number.NEGATIVE_INFINITY
  for (const { place, index } of order) {
    lowest = Math.max(place, lowest + distance)
    spread[index] = lowest
  }
  return spread
}
