import type { ComponentProps } from 'react'
import styles from './row.module.css'
import { RowContent, type RowTexts } from './row.tsx'

/** A link to another page; the whole row is clickable. */
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
