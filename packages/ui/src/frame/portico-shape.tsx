import styles from './portico-shape.module.css'

const RADII = [330, 264, 198, 132, 66]
const WIDTH = 330
const SPRING = 470
const HEIGHT = 1000
/** Far below the drawing: where the panel goes on past the window, as on paper, so do the arches. */
const BASE = 9000

/** The left half of an arch whose axis is the right edge of the drawing. */
const halfArch = (radius: number) =>
  `M${WIDTH - radius} ${BASE}V${SPRING}a${radius} ${radius} 0 0 1 ${radius} ${-radius}V${BASE}Z`

/**
 * Doorways within doorways, each a shade deeper: the one picture on the brand panel. It is cut on
 * its axis, so that the page beside the panel stands where one would walk through.
 */
export function PorticoShape() {
  return (
    <svg
      className={styles.shape}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="xMaxYMax meet"
      aria-hidden="true"
    >
      {RADII.map((radius) => (
        <path key={radius} d={halfArch(radius)} />
      ))}
    </svg>
  )
}
