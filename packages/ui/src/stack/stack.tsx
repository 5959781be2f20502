import type { ReactNode } from 'react'
import styles from './stack.module.css'

/** Spacing steps: inside a group, between fields, between groups, and between sections. */
export type StackGap = 'inside' | 'fields' | 'group' | 'sections'

/** A vertical stack with even spacing; `quiet` is for secondary help texts. */
export function Stack({
  gap = 'group',
  quiet = false,
  children,
}: {
  gap?: StackGap
  quiet?: boolean
  children: ReactNode
}) {
  return (
    <div className={styles.stack} data-gap={gap} data-quiet={quiet || undefined}>
      {children}
    </div>
  )
}
