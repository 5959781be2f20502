import type { ReactNode } from 'react'
import { Icon } from '../icon/icon.tsx'
import styles from './row.module.css'

/** What a row says: where it leads and, below that, what is found there. */
export type RowTexts = { title: ReactNode; details?: ReactNode }

/** The inside of a row: its words, and the sign that it leads on. */
export function RowContent({ title, details }: RowTexts) {
  return (
    <>
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        {details && <span className={styles.details}>{details}</span>}
      </span>
      <Icon name="chevron" />
    </>
  )
}
