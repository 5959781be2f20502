import type { ReactNode } from 'react'
import styles from './stack.module.css'

/** The distances of visual rhythm: inside a thought, between fields, between groups, before a new thought. */
export type StackGap = 'inside' | 'fields' | 'group' | 'thought'

/** Things below each other at one distance, on one left edge; quiet where they are help beside the matter. */
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
