import type { ComponentProps } from 'react'
import styles from './row.module.css'
import { RowContent, type RowTexts } from './row.tsx'

/** A link to a page of its own; the whole row is the target. */
export function RowLink({
  title,
  details,
  ...native
}: Omit<ComponentProps<'a'>, 'className' | 'style' | 'title' | 'children'> & RowTexts) {
  return (
    <a {...native} className={styles.row}>
      <RowContent title={title} details={details} />
    </a>
  )
}
