import type { ReactNode } from 'react'
import styles from './logo.module.css'

/** The logo of a page, or two beside each other. */
export function Logo({ children }: { children: ReactNode }) {
  return (
    <div className={styles.logo} data-part="logo">
      {children}
    </div>
  )
}
