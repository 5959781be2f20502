import styles from './progress-bar.module.css'

export type ProgressBarProps = {
  value: number
  max: number
  /** The accessible name. Without one, a text beside the bar says the same, and screen readers skip the bar. */
  label?: string
}

/** How much of something is done. */
export function ProgressBar({ value, max, label }: ProgressBarProps) {
  return (
    <progress
      className={styles.bar}
      value={value}
      max={max}
      aria-label={label}
      aria-hidden={label === undefined}
    />
  )
}
