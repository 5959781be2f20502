import styles from './progress-bar.module.css'

export type ProgressBarProps = {
  value: number
  max: number
  /** The accessible name. Omit it if adjacent text gives the progress; screen readers then skip the bar. */
  label?: string
}

/** A determinate progress bar. */
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
