import type { ReactNode } from 'react'
import { Icon } from '../icon/icon.tsx'
import styles from './field.module.css'

export type FieldTexts = {
  label: ReactNode
  hint?: ReactNode
  /** Replaces the hint, in the same reserved space. */
  error?: ReactNode
}

const present = (text: ReactNode) => Boolean(text)

/** The attributes that associate a control with its field's label and message. */
export function controlAttributes(id: string, { hint, error }: Pick<FieldTexts, 'hint' | 'error'>) {
  return {
    id,
    'aria-invalid': present(error) || undefined,
    'aria-describedby': present(error) || present(hint) ? `${id}-message` : undefined,
  }
}

/** A label, a control, and one line below it for the hint or the error. */
export function Field({
  id,
  label,
  hint,
  error,
  children,
}: FieldTexts & { id: string; children: ReactNode }) {
  const invalid = present(error)
  return (
    <div
      className={styles.field}
      data-invalid={invalid || undefined}
      data-hinted={present(hint) || undefined}
    >
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children}
      <p className={styles.message} id={`${id}-message`} aria-live="polite">
        {invalid && <Icon name="danger" />}
        <span>{invalid ? error : hint}</span>
      </p>
    </div>
  )
}
