import { type ComponentPropsWithoutRef, forwardRef } from 'react'
import styles from './row.module.css'
import { RowContent, type RowTexts } from './row.tsx'

export type RowLinkProps = RowTexts &
  Omit<ComponentPropsWithoutRef<'a'>, 'className' | 'style' | 'title' | 'children'>

/** A link to another page; the whole row is clickable. */
export const RowLink = forwardRef<HTMLAnchorElement, RowLinkProps>(function RowLink(
  { title, details, ...native },
  ref,
) {
  return (
    <a {...native} ref={ref} className={styles.row}>
      <RowContent title={title} details={details} />
    </a>
  )
})
