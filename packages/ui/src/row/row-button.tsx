import type { ComponentProps } from 'react'
import styles from './row.module.css'
import { RowContent, type RowTexts } from './row.tsx'

/** One of several choices; the whole row is clickable. */
export function RowButton({
  title,
  details,
  ...native
}: Omit<ComponentProps<'button'>, 'className' | 'style' | 'title' | 'children'> & RowTexts) {
  return (
    <button type="button" {...native} className={styles.row}>
      <RowContent title={title} details={details} />
    </button>
  )
}
