import { Icon } from '../icon/icon.tsx'
import styles from './footer.module.css'

/** A link of the footer. */
export type FooterLink = { label: string; href: string }

/** What a lender must say at the foot of every page; what it has not is left out. */
export type FooterProps = {
  links?: readonly FooterLink[]
  /** Shown as given; `href` is the same number as a `tel:` address. */
  phone?: FooterLink | undefined
  email?: string | undefined
  /** For example 'NMLS #1717824'. */
  nmls?: string | undefined
  /** The fair-lending badge in words, for example 'Equal Housing Lender'. */
  badge?: string | undefined
  copyright?: string | undefined
}

/** Small print: legal links, support, license and badge. */
export function Footer({ links = [], phone, email, nmls, badge, copyright }: FooterProps) {
  return (
    <div className={styles.footer}>
      {links.length > 0 && (
        <ul className={styles.row}>
          {links.map(({ label, href }) => (
            <li key={href}>
              <a href={href}>{label}</a>
            </li>
          ))}
        </ul>
      )}
      {(phone || email) && (
        <ul className={styles.row}>
          {phone && (
            <li>
              <a href={phone.href}>{phone.label}</a>
            </li>
          )}
          {email && (
            <li>
              <a href={`mailto:${email}`}>{email}</a>
            </li>
          )}
        </ul>
      )}
      {copyright && <p className={styles.copyright}>{copyright}</p>}
      {(nmls || badge) && (
        <ul className={styles.row} data-part="license">
          {nmls && <li>{nmls}</li>}
          {badge && (
            <li className={styles.badge}>
              <Icon name="house" />
              {badge}
            </li>
          )}
        </ul>
      )}
    </div>
  )
}
