import type { ReactNode } from 'react'
import styles from './screen.module.css'
import { UntrustedText } from './untrusted-text.tsx'

/** A screen of the wallet: the title above and the actions below stay visible, and the content scrolls between them. */
export function Screen({
  title,
  note,
  actions,
  hint,
  children,
}: {
  /** May contain names of others. */
  title: string
  /** Shown next to the title, for example the number of pending requests. */
  note?: string | undefined
  actions?: ReactNode
  /** Shown above the actions: what the user has to do before they are enabled. */
  hint?: ReactNode
  children: ReactNode
}) {
  return (
    <>
      <main className={styles.screen}>
        {note && <p className={styles.note}>{note}</p>}
        <h1 key={title} ref={focusHeading} tabIndex={-1}>
          <UntrustedText>{title}</UntrustedText>
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

/** Focuses the title of a new screen, even if React reuses the previous one, so that screen readers announce it. */
function focusHeading(heading: HTMLHeadingElement | null): void {
  heading?.focus({ preventScroll: true })
}
