import type { ReactNode } from 'react'
import styles from './screen.module.css'

/** One screen of the wallet: what it is about above, what can be done below, always in sight; the rest scrolls between. */
export function Screen({
  title,
  actions,
  children,
}: {
  title: string
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <>
      <main className={styles.screen}>
        <h1 ref={focusNow} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </main>
      {actions && <footer className={styles.actions}>{actions}</footer>}
    </>
  )
}

/** A screen that replaces another one is read out from its title; one that takes no focus from anybody does not. */
function focusNow(heading: HTMLHeadingElement | null): void {
  heading?.focus({ preventScroll: true })
}
