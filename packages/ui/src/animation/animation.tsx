import type { ReactNode } from 'react'
import styles from './animation.module.css'

/** A moving picture and the still one that stands for it. */
export type AnimationProps = {
  /** Says what the picture shows. */
  label: string
  /** Shown instead where the reader asked for less motion; there is no animation without it (§2.8). */
  staticSvg: ReactNode
  children: ReactNode
}

/**
 * An animated picture. The stylesheet chooses between the two, so the right one is there before any
 * script has run.
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
