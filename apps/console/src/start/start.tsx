import { OPERATOR_ROLES } from '@portico/contracts/admin/permissions'
import { Icon } from '@portico/ui/icon'
import { OrganizationNames } from '../name-text.tsx'
import { mayOpen, useOperator } from '../operator/operator.tsx'
import { PageHead } from '../page-head/page-head.tsx'
import { SECTIONS } from '../routes.ts'
import { ROLE_TEXTS } from '../texts.ts'
import styles from './start.module.css'

const PURPOSES: Readonly<Record<string, string>> = {
  people: 'Find people, see their activity, and help them back into their accounts',
  organizations: 'Brand, texts, links and behaviors of each lender',
  insight: 'Where visitors succeed, and where they give up',
  banners: 'Announcements above a page',
  experiments: 'Show a change to a share of visitors, and measure whether it helps',
  approvals: 'Requests of other operators that you can approve',
  audit: 'Security events and the acts of operators',
  operations: 'Nodes, waiting messages, rate limits, and certificates that expire soon',
  operators: 'Roles, and the people who have them',
  tokens: 'For programs that call the admin API',
  reviews: 'Investor passports that need a decision',
}

/** The first page: the sections that the operator may open. */
export function Start() {
  const { operator } = useOperator()
  const sections = SECTIONS.filter((section) => mayOpen(operator, section))
  return (
    <>
      <PageHead title="Operator console" />
      <ul className={styles.sections}>
        {sections.map(({ name, title, href, icon }) => (
          <li key={name}>
            <a href={href}>
              <Icon name={icon} />
              <strong>{title}</strong>
              <span>{PURPOSES[name]}</span>
              <Icon name="chevron" />
            </a>
          </li>
        ))}
      </ul>
      <section className={styles.roles} aria-labelledby="roles">
        <h2 id="roles">Your roles</h2>
        <ul>
          {OPERATOR_ROLES.flatMap((role) => {
            const codes = operator.roles
              .filter((each) => each.role === role)
              .map(({ organizationCode }) => organizationCode)
            if (codes.length === 0) return []
            return [
              <li key={role}>
                <strong>{ROLE_TEXTS[role].title}</strong> of{' '}
                <OrganizationNames codes={codes} all="all organizations" />:{' '}
                {ROLE_TEXTS[role].purpose}.
              </li>,
            ]
          })}
        </ul>
      </section>
    </>
  )
}
