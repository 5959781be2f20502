import { type ComponentPropsWithoutRef, forwardRef, type MouseEvent, type ReactNode } from 'react'
import { Spinner } from '../spinner/spinner.tsx'
import styles from './button.module.css'

/** The visual weight of a button. Use one primary button per screen, or `danger` instead if its action is irreversible. */
export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger'

export type ButtonProps = Omit<ComponentPropsWithoutRef<'button'>, 'className' | 'style'> & {
  kind?: ButtonKind
  /** Full width, as in forms. */
  wide?: boolean
  busy?: boolean
  /** The label while busy, for example 'Logging in…'. */
  busyLabel?: ReactNode
}

/**
 * While busy, the button keeps its width and focus and shows `busyLabel`. Further presses are
 * ignored, including form submission with the Enter key.
 */
export const Button = forwardRef<HTMLButtonElement, ButtonProps>(function Button(
  {
    kind = 'primary',
    wide = false,
    busy = false,
    busyLabel,
    type = 'button',
    onClick,
    children,
    ...native
  },
  ref,
) {
  function press(event: MouseEvent<HTMLButtonElement>) {
    if (busy) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...native}
      ref={ref}
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
        {(busy || busyLabel !== undefined) && <Spinner />}
        <span>{busyLabel ?? children}</span>
      </span>
    </button>
  )
})
