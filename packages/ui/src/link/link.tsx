import { type ComponentPropsWithoutRef, forwardRef } from 'react'
import styles from './link.module.css'

export type LinkProps = Omit<ComponentPropsWithoutRef<'a'>, 'className' | 'style'>

/** An underlined link in the brand's text color. */
export const Link = forwardRef<HTMLAnchorElement, LinkProps>(function Link(
  { children, ...native },
  ref,
) {
  return (
    <a {...native} ref={ref} className={styles.link}>
      {children}
    </a>
  )
})
