import { type ComponentPropsWithoutRef, forwardRef } from 'react'
import styles from './select.module.css'

/** A native select without a label. `children` are native `option` elements. */
export const Select = forwardRef<HTMLSelectElement, ComponentPropsWithoutRef<'select'>>(
  function Select({ children, ...native }, ref) {
    return (
      <span className={styles.row}>
        <select {...native} ref={ref}>
          {children}
        </select>
      </span>
    )
  },
)
