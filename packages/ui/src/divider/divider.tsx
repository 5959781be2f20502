import type { ReactNode } from 'react'
import styles from './divider.module.css'

/** A horizontal rule around a word such as 'or'. */
export function Divider({ children }: { children: ReactNode }) {
  return <p className={styles.divider}>{children}</p>
}
