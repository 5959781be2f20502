import type { ReactNode } from 'react'
import styles from './frame.module.css'
import { PorticoShape } from './portico-shape.tsx'

/** The slots of a page. */
export type FrameProps = {
  /** An image or words; stands on the brand panel, 28 px high on the phone. */
  logo?: ReactNode
  /** One short sentence on who is speaking; only where the panel is a column. */
  trust?: ReactNode
  /** Whether that sentence names NMLS number and badge, so that the footer does not repeat them beside it. */
  licenseInTrust?: boolean
  footer?: ReactNode
  /** What is announced above the form; it may come late, and on wide screens moves nothing. */
  announcements?: ReactNode
  /** For a page that is more than a form: a broader column that begins higher. */
  wide?: boolean
  children: ReactNode
}

/** The page: brand panel beside the form on wide screens, a brand bar above it on narrow ones. */
export function Frame({
  logo,
  trust,
  licenseInTrust = false,
  footer,
  announcements,
  wide = false,
  children,
}: FrameProps) {
  return (
    <div className={styles.page}>
      <div
        className={styles.frame}
        data-wide={wide || undefined}
        data-part={wide ? 'page' : 'door'}
      >
        <header className={styles.panel} data-part="panel">
          <PorticoShape />
          {logo && (
            <div className={styles.logo} data-part="logo">
              {logo}
            </div>
          )}
          {trust && (
            <div className={styles.trust} data-license={licenseInTrust || undefined}>
              {trust}
            </div>
          )}
        </header>
        <main className={styles.form} data-part="form">
          {announcements && (
            <div className={styles.announcements} aria-live="polite">
              {announcements}
            </div>
          )}
          {children}
        </main>
        {footer && (
          <footer className={styles.footer} data-part="footer">
            {footer}
          </footer>
        )}
      </div>
    </div>
  )
}
