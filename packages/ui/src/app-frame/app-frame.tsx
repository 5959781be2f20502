import type { ReactNode } from 'react'
import { Logo } from '../frame/logo.tsx'
import { Icon, type IconName } from '../icon/icon.tsx'
import styles from './app-frame.module.css'

/** An entry of the main navigation. `current` is `section` if the page is below the entry's own page. */
export type NavigationItem = {
  label: string
  href: string
  icon: IconName
  current?: 'page' | 'section' | undefined
}

export type AppFrameProps = {
  /** Stays above everything else on the page. It sets its own height as `--strip` on the document. */
  strip?: ReactNode
  /** An image or text on the header; 28 px high. */
  logo: ReactNode
  /** Empty for a standalone page. */
  navigation: readonly NavigationItem[]
  /** The current account: in the header on wide pages, otherwise a row below it. */
  switcher?: ReactNode
  /** Buttons at the end of the header. */
  tools?: ReactNode
  /** Announcements above the content. */
  announcements?: ReactNode
  footer?: ReactNode
  /** The width of the content; settings are narrower. */
  width?: 'standard' | 'settings'
  children: ReactNode
}

/**
 * The layout of an application: the navigation is in the header on wide pages and in a bar at the bottom on narrow ones.
 * The server cannot know the width, so it renders both and the style sheet hides one.
 */
export function AppFrame({
  strip,
  logo,
  navigation,
  switcher,
  tools,
  announcements,
  footer,
  width = 'standard',
  children,
}: AppFrameProps) {
  return (
    <div className={styles.page}>
      {strip}
      <div className={styles.frame} data-width={width} data-part="page">
        <header className={styles.header} data-part="panel">
          <a className={styles.skip} href="#content">
            Skip to content
          </a>
          <Logo>{logo}</Logo>
          <Navigation items={navigation} className={styles.links} />
          <div className={styles.tools}>
            {switcher && <div className={styles.choice}>{switcher}</div>}
            {tools}
          </div>
        </header>
        {switcher && (
          <section className={styles.row} aria-label="Account">
            {switcher}
          </section>
        )}
        <main className={styles.content} id="content" tabIndex={-1} data-part="form">
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
        <Navigation items={navigation} className={styles.bar} />
      </div>
    </div>
  )
}

function Navigation({
  items,
  className,
}: {
  items: readonly NavigationItem[]
  className: string | undefined
}) {
  if (items.length === 0) return null
  return (
    <nav className={className} aria-label="Main">
      <ul>
        {items.map(({ label, href, icon, current }) => (
          <li key={href}>
            <a href={href} aria-current={current === 'section' ? 'true' : current}>
              <Icon name={icon} />
              <span>{label}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
