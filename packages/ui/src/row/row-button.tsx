import type { ComponentProps } from 'react'
import styles from './row.module.css'
import { RowContent, type RowTexts } from './row.tsx'

/** One of several ways on that stay on the page; the whole row is the target. */
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
