import { Icon } from '../icon/icon.tsx'
import styles from './footer.module.css'

export type FooterLink = { label: string; href: string }

/** Disclosures that lenders must show on every page; omitted props are not rendered. */
export type FooterProps = {
  links?: readonly FooterLink[]
  /** `label` is shown unchanged; `href` is the same number as a `tel:` URL. */
  phone?: FooterLink | undefined
  email?: string | undefined
  /** For example 'NMLS #1717824'. */
  nmls?: string | undefined
  /** The text of the fair-lending badge, for example 'Equal Housing Lender'. */
  badge?: string | undefined
  copyright?: string | undefined
}

/** Legal links, support contacts, license number and badge. */
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
