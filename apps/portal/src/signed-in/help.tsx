import type { PageData } from '@portico/contracts/page-data'
import { formatPhone, phoneLink } from '@portico/rules/phone'
import { Icon } from '@portico/ui/icon'
import { Link } from '@portico/ui/link'
import { Popover } from '@portico/ui/popover'
import styles from './signed-in.module.css'

/** The organization's support contacts. */
export function Help({ page }: { page: PageData }) {
  const { name, supportEmail, supportPhone } = page.organization.orgMetaData.companyInfo
  return (
    <Popover look="icon" label="Help" button={<Icon name="help" />}>
      <div className={styles.panel}>
        <p className={styles.title}>Help</p>
        <p>The people at {name} are glad to help you.</p>
        <ul className={styles.contacts}>
          <li>
            <Icon name="phone" />
            <Link href={phoneLink(supportPhone)}>{formatPhone(supportPhone)}</Link>
          </li>
          <li>
            <Icon name="mail" />
            <Link href={`mailto:${supportEmail}`}>{supportEmail}</Link>
          </li>
        </ul>
      </div>
    </Popover>
  )
}
