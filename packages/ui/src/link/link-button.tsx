import { type ComponentPropsWithoutRef, forwardRef } from 'react'
import styles from './link.module.css'

export type LinkButtonProps = Omit<ComponentPropsWithoutRef<'button'>, 'className' | 'style'>

/**
 * A button styled as a link, for an action that stays on the page. While disabled it keeps the focus: many disable themselves when they
 * are pressed, and the browser would move the focus to the body.
 */
export const LinkButton = forwardRef<HTMLButtonElement, LinkButtonProps>(function LinkButton(
  { type = 'button', disabled = false, onClick, ...native },
  ref,
) {
  return (
    <button
      {...native}
      ref={ref}
      type={type}
      className={styles.link}
      aria-disabled={disabled || undefined}
      onClick={(event) => {
        if (disabled) event.preventDefault()
        else onClick?.(event)
      }}
    />
  )
})
