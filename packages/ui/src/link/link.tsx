import type { ComponentProps } from 'react'
import styles from './link.module.css'

/** An underlined link in the brand's text color. */
export function Link({ children, ...native }: Omit<ComponentProps<'a'>, 'className' | 'style'>) {
  return (
    <a {...native} className={styles.link}>
      {children}
    </a>
  )
}
