import styles from './portico-shape.module.css'

const ARCHES = [520, 420, 320, 220, 120]
const BASE = 1000

/** An arch on two straight legs, so wide, standing on the lower edge of the drawing. */
function arch(width: number): string {
  const radius = width / 2
  const spring = BASE - 700 * (width / 520) ** 0.55
  return `M${300 - radius} ${BASE}V${spring}a${radius} ${radius} 0 0 1 ${width} 0V${BASE}Z`
}

/** Doorways within doorways, each a shade deeper: the one picture on the brand panel. */
export function PorticoShape() {
  return (
    <svg
      className={styles.shape}
      viewBox="0 0 600 1000"
      preserveAspectRatio="xMaxYMax meet"
      aria-hidden="true"
    >
      {ARCHES.map((width) => (
        <path key={width} d={arch(width)} />
      ))}
    </svg>
  )
}
