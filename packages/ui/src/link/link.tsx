import type { ComponentProps } from 'react'
import styles from './link.module.css'

/** A link in running text: an anchor, underlined, in the brand's text color. */
export function Link({ children, ...native }: Omit<ComponentProps<'a'>, 'className' | 'style'>) {
  return (
    <a {...native} className={styles.link}>
      {children}
    </a>
  )
}
