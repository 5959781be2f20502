import type { ReactNode } from 'react'
import styles from './screen.module.css'

/** One screen of the wallet: what it is about above, what can be done below, always in sight; the rest scrolls between. */
export function Screen({
  title,
  note,
  actions,
  hint,
  children,
}: {
  title: string
  /** Beside the title, such as how many more wait. */
  note?: string | undefined
  actions?: ReactNode
  /** Above the actions: what is still to be done before they work. */
  hint?: ReactNode
  children: ReactNode
}) {
  return (
    <>
      <main className={styles.screen}>
        {note && <p className={styles.note}>{note}</p>}
        <h1 ref={focusNow} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </main>
      {actions && (
        <footer className={styles.foot}>
          {hint}
          <div className={styles.actions}>{actions}</div>
        </footer>
      )}
    </>
  )
}

/** A screen that replaces another one is read out from its title; one that takes no focus from anybody does not. */
function focusNow(heading: HTMLHeadingElement | null): void {
  heading?.focus({ preventScroll: true })
}
