import { type ComponentPropsWithoutRef, forwardRef } from 'react'
import styles from './link.module.css'

export type LinkButtonProps = Omit<ComponentPropsWithoutRef<'button'>, 'className' | 'style'>

/** A button styled as a link, for an action that stays on the page. */
export const LinkButton = forwardRef<HTMLButtonElement, LinkButtonProps>(function LinkButton(
  { type = 'button', ...native },
  ref,
) {
  return <button {...native} ref={ref} type={type} className={styles.link} />
})
