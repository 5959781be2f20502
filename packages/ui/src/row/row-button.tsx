import { type ComponentPropsWithoutRef, forwardRef } from 'react'
import styles from './row.module.css'
import { RowContent, type RowTexts } from './row.tsx'

export type RowButtonProps = RowTexts &
  Omit<ComponentPropsWithoutRef<'button'>, 'className' | 'style' | 'title' | 'children'>

/** One of several choices; the whole row is clickable. */
export const RowButton = forwardRef<HTMLButtonElement, RowButtonProps>(function RowButton(
  { title, details, ...native },
  ref,
) {
  return (
    <button type="button" {...native} ref={ref} className={styles.row}>
      <RowContent title={title} details={details} />
    </button>
  )
})
