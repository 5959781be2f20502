import type { ReactNode } from 'react'
import styles from './frame.module.css'
import { Logo } from './logo.tsx'
import { PorticoShape } from './portico-shape.tsx'

export type FrameProps = {
  /** Stays above everything else on the page. It sets its own height as `--strip` on the document. */
  strip?: ReactNode
  /** An image or text on the brand panel; 28 px high on phones. */
  logo?: ReactNode
  /** A short sentence about the company; shown only if the panel is a column. */
  trust?: ReactNode
  /** Whether `trust` includes the NMLS number and badge, so that the footer next to it does not repeat them. */
  licenseInTrust?: boolean
  footer?: ReactNode
  /** Announcements above the form. They may load late; on wide screens they do not shift the layout. */
  announcements?: ReactNode
  children: ReactNode
}

/** The page layout: a brand panel beside the form on wide screens, a brand bar above it on narrow ones. */
export function Frame({
  strip,
  logo,
  trust,
  licenseInTrust = false,
  footer,
  announcements,
  children,
}: FrameProps) {
  return (
    <div className={styles.page}>
      {strip}
      <div className={styles.frame} data-part="form-page">
        <header className={styles.panel} data-part="panel">
          <PorticoShape />
          {logo && (
            <div className={styles.brand}>
              <Logo>{logo}</Logo>
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
