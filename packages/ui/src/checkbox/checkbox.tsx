import { type ComponentPropsWithoutRef, forwardRef, type ReactNode, useId } from 'react'
import { Icon } from '../icon/icon.tsx'
import styles from './checkbox.module.css'

export type CheckboxProps = Omit<
  ComponentPropsWithoutRef<'input'>,
  'className' | 'style' | 'type'
> & {
  label: ReactNode
  error?: ReactNode
}

/** A native checkbox; the whole row is clickable. */
export const Checkbox = forwardRef<HTMLInputElement, CheckboxProps>(function Checkbox(
  { label, error, id, ...native },
  ref,
) {
  const ownId = useId()
  const inputId = id ?? ownId
  return (
    <div className={styles.checkbox}>
      <label className={styles.row} htmlFor={inputId}>
        <span className={styles.box}>
          <input
            {...native}
            ref={ref}
            type="checkbox"
            id={inputId}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${inputId}-message` : undefined}
          />
          <Icon name="check" />
        </span>
        <span>{label}</span>
      </label>
      {error && (
        <p className={styles.message} id={`${inputId}-message`} role="alert">
          <Icon name="danger" />
          <span>{error}</span>
        </p>
      )}
    </div>
  )
})
