import styles from './portico-shape.module.css'

const RADII = [330, 264, 198, 132, 66]
const WIDTH = 330
const SPRING = 470
const HEIGHT = 1000
/** Far below the view box, so the arches continue if the panel is taller than the window, as in print. */
const BASE = 9000

/** The left half of an arch centered on the right edge of the drawing. */
const halfArch = (radius: number) =>
  `M${WIDTH - radius} ${BASE}V${SPRING}a${radius} ${radius} 0 0 1 ${radius} ${-radius}V${BASE}Z`

/**
 * Nested doorways, each a shade darker: the only image on the brand panel. The axis is the panel's edge, so only the left
 * half is drawn.
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
