import { AnchorButton } from '../button/anchor-button.tsx'
import { Button } from '../button/button.tsx'
import { Link } from '../link/link.tsx'
import styles from './error-screen.module.css'

/** Where the reader can turn to. */
export type ErrorScreenProps = {
  onRetry: () => void
  dashboardHref?: string | undefined
  /** Shown as given; `href` is the same number as a `tel:` address. */
  phone?: { label: string; href: string } | undefined
  email?: string | undefined
}

/** What is shown when a page cannot go on (§2.8): one message, one way on, and who can help. */
export function ErrorScreen({ onRetry, dashboardHref, phone, email }: ErrorScreenProps) {
  return (
    <section className={styles.screen} aria-labelledby="error-screen-title">
      <h1 id="error-screen-title" tabIndex={-1}>
        Sorry, looks like we have hit a snag!
      </h1>
      <div className={styles.ways}>
        <Button onClick={onRetry}>Try again</Button>
        {dashboardHref && (
          <AnchorButton kind="secondary" href={dashboardHref}>
            Go To Dashboard
          </AnchorButton>
        )}
      </div>
      {(phone || email) && (
        <p className={styles.help}>
          If it keeps happening, we are here to help
          {phone && (
            <>
              {' '}
              at <Link href={phone.href}>{phone.label}</Link>
            </>
          )}
          {email && (
            <>
              {phone ? ' or ' : ' '}
              <Link href={`mailto:${email}`}>{email}</Link>
            </>
          )}
          .
        </p>
      )}
    </section>
  )
}
