import styles from './spinner.module.css'

/** An indeterminate progress indicator. Pass a label unless there is text next to it. */
export function Spinner({ label }: { label?: string | undefined }) {
  const ring = (
    <svg className={styles.spinner} viewBox="0 0 24 24" aria-hidden="true">
      <circle className={styles.track} cx="12" cy="12" r="9" />
      <path d="M12 3a9 9 0 0 1 9 9" />
    </svg>
  )
  return label === undefined ? (
    ring
  ) : (
    <span role="status" className={styles.labeled}>
      {ring}
      <span>{label}</span>
    </span>
  )
}
