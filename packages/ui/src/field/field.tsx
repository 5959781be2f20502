import { type ReactNode, useEffect, useState } from 'react'
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
  const { isArriving, onFocus } = useArrival()
  return (
    <div
      onFocus={onFocus}
      className={styles.field}
      data-invalid={invalid || undefined}
      data-hinted={present(hint) || undefined}
    >
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children}
      <p className={styles.message} id={`${id}-message`} aria-live={isArriving ? 'off' : 'polite'}>
        {invalid && <Icon name="danger" />}
        <span>{invalid ? error : hint}</span>
      </p>
    </div>
  )
}

/** How long a screen reader takes to begin reading an element that got the focus, with its description. */
const ARRIVAL_MS = 1000

/**
 * Whether the focus has just moved to the control. Its error is then read as its description, for example after a submit, and would
 * be announced twice.
 */
function useArrival() {
  const [arrivals, setArrivals] = useState(0)
  const [isArriving, setIsArriving] = useState(false)
  useEffect(() => {
    if (arrivals === 0) return
    const timer = setTimeout(() => setIsArriving(false), ARRIVAL_MS)
    return () => clearTimeout(timer)
  }, [arrivals])
  return {
    isArriving,
    onFocus: () => {
      setIsArriving(true)
      setArrivals((count) => count + 1)
    },
  }
}
