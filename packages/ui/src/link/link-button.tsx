import type { ComponentProps } from 'react'
import styles from './link.module.css'

/** A button that looks like a link, for an act that stays on the page. */
export function LinkButton({
  type = 'button',
  ...native
}: Omit<ComponentProps<'button'>, 'className' | 'style'>) {
  return <button {...native} type={type} className={styles.link} />
}
