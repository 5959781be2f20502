import type { ComponentProps } from 'react'
import styles from './link.module.css'

/** A button styled as a link, for an action that stays on the page. */
export function LinkButton({
  type = 'button',
  ...native
}: Omit<ComponentProps<'button'>, 'className' | 'style'>) {
  return <button {...native} type={type} className={styles.link} />
}
