import type { ReactNode } from 'react'
import styles from './animation.module.css'

export type AnimationProps = {
  /** The accessible name of the image. */
  label: string
  /** Shown instead if the user prefers reduced motion; required (§2.8). */
  staticSvg: ReactNode
  children: ReactNode
}

/**
 * An animated image. The style sheet selects the animated or static version, so the right one is
 * shown before any script runs.
 */
export function Animation({ label, staticSvg, children }: AnimationProps) {
  if (!staticSvg) throw new Error('staticSvg must be provided for a11y')
  return (
    <div className={styles.animation} role="img" aria-label={label}>
      <div className={styles.moving}>{children}</div>
      <div className={styles.still}>{staticSvg}</div>
    </div>
  )
}
