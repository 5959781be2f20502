import type { ReactNode } from 'react'
import { Icon } from '../icon/icon.tsx'
import styles from './row.module.css'

/** The title, and a line below it that describes the target. */
export type RowTexts = { title: ReactNode; details?: ReactNode }

/** A row's text and chevron. */
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
