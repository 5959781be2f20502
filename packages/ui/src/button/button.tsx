import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { Spinner } from '../spinner/spinner.tsx'
import styles from './button.module.css'

/** How much a button weighs on the screen; one primary per screen. */
export type ButtonKind = 'primary' | 'secondary' | 'quiet'

/** What a button takes besides the native attributes. */
export type ButtonProps = Omit<ComponentProps<'button'>, 'className' | 'style'> & {
  kind?: ButtonKind
  /** Fills its row, as in forms. */
  wide?: boolean
  busy?: boolean
  /** What is being done, for example 'Logging in…'; shown while busy. */
  busyLabel?: ReactNode
}

/**
 * A button. While busy it keeps its width and its focus, says what it does, and a second press does
 * nothing, not even through the Enter key of a field in its form.
 */
export function Button({
  kind = 'primary',
  wide = false,
  busy = false,
  busyLabel,
  type = 'button',
  onClick,
  children,
  ...native
}: ButtonProps) {
  function press(event: MouseEvent<HTMLButtonElement>) {
    if (busy) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...native}
      type={type}
      className={styles.button}
      data-kind={kind}
      data-wide={wide || undefined}
      data-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={press}
    >
      <span className={styles.label} aria-hidden={busy || undefined}>
        {children}
      </span>
      <span className={styles.busy} aria-hidden={!busy || undefined}>
        {busy && <Spinner />}
        <span>{busyLabel ?? children}</span>
      </span>
    </button>
  )
}
