import { AnchorButton } from '../button/anchor-button.tsx'
import { Button } from '../button/button.tsx'
import { Icon } from '../icon/icon.tsx'
import { Link } from '../link/link.tsx'
import styles from './error-screen.module.css'

export type ErrorScreenProps = {
  onRetry: () => void
  dashboardHref?: string | undefined
  /** `label` is shown unchanged; `href` is the same number as a `tel:` URL. */
  phone?: { label: string; href: string } | undefined
  email?: string | undefined
  /** Lets support find the matching log entries. */
  reference?: string | undefined
}

/** Shown when a page fails (§2.8): one message, a retry, and the support contacts. */
export function ErrorScreen({ onRetry, dashboardHref, phone, email, reference }: ErrorScreenProps) {
  return (
    <section className={styles.screen} aria-labelledby="error-screen-title">
      <h1 id="error-screen-title" tabIndex={-1}>
        Sorry, looks like we have hit a snag!
      </h1>
      <div className={styles.actions}>
        <Button onClick={onRetry}>Try again</Button>
        {dashboardHref && (
          <AnchorButton kind="secondary" href={dashboardHref}>
            Go To Dashboard
          </AnchorButton>
        )}
      </div>
      {(phone || email) && (
        <div className={styles.help}>
          <p>If it keeps happening, we are here to help.</p>
          <ul>
            {phone && (
              <li>
                <Icon name="phone" />
                <Link href={phone.href}>{phone.label}</Link>
              </li>
            )}
            {email && (
              <li>
                <Icon name="mail" />
                <Link href={`mailto:${email}`}>{email}</Link>
              </li>
            )}
          </ul>
        </div>
      )}
      {reference && (
        <p className={styles.reference}>
          Reference for support: <code>{reference}</code>
        </p>
      )}
    </section>
  )
}
