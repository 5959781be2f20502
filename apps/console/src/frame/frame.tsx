import { OPERATOR_ROLES } from '@portico/contracts/admin/permissions'
import type { Here } from '@portico/rules/wallet-redirects'
import { EmailText } from '@portico/ui/email-text'
import { Icon } from '@portico/ui/icon'
import { Select } from '@portico/ui/select'
import { VisuallyHidden } from '@portico/ui/visually-hidden'
import { type ReactNode, type SubmitEvent, useEffect, useRef, useSyncExternalStore } from 'react'
import { useEnvironment } from '../environment.ts'
import { addressWith, openPage, parameter } from '../location.ts'
import { isPermitted, mayOpen, useOperator } from '../operator/operator.tsx'
import { routeOf, SECTIONS } from '../routes.ts'
import { ROLE_TEXTS } from '../texts.ts'
import styles from './frame.module.css'

const MENU = 'console-menu'

/** The frame of all pages: navigation by permission, the organization, the search, and who is logged in. */
export function ConsoleFrame({ here, children }: { here: Here; children: ReactNode }) {
  const { operator } = useOperator()
  const { network, page } = useEnvironment()
  const isOnline = useSyncExternalStore(network.watch, network.isOnline, () => true)
  const current = routeOf(here.path).section
  const organization = parameter(here, 'organization')
  const menu = useRef<HTMLElement>(null)
  // The drawer of phones closes when a page is opened.
  useEffect(() => {
    if (menu.current?.matches(':popover-open')) menu.current.hidePopover()
  }, [here.path])
  const roles = OPERATOR_ROLES.filter((role) => operator.roles.some((each) => each.role === role))
  return (
    <div className={styles.frame}>
      <header className={styles.top}>
        <a className={styles.skip} href="#content">
          Skip to content
        </a>
        <button
          type="button"
          className={styles.menuButton}
          aria-label="Menu"
          {...{ popoverTarget: MENU }}
        >
          <MenuIcon />
        </button>
        <a className={styles.product} href="/console">
          <Icon name="home" />
          Portico <span>console</span>
        </a>
        {isPermitted(operator, 'people.read') && <Search key={here.path} />}
        {SECTIONS.find(({ href }) => href === here.path)?.byOrganization === true && (
          <OrganizationFilter here={here} />
        )}
      </header>
      <nav ref={menu} className={styles.side} id={MENU} popover="auto" aria-label="Console">
        <ul>
          {SECTIONS.filter((section) => mayOpen(operator, section)).map(
            ({ name, title, href, icon, byOrganization }) => (
              <li key={name}>
                <a
                  href={
                    byOrganization && organization !== undefined
                      ? addressWith({ path: href, query: '' }, { organization })
                      : href
                  }
                  title={title}
                  aria-current={
                    name === current ? (here.path === href ? 'page' : 'true') : undefined
                  }
                >
                  <Icon name={icon} />
                  <span>{title}</span>
                </a>
              </li>
            ),
          )}
        </ul>
        <div className={styles.who}>
          <p>
            <strong>
              <EmailText>{operator.name}</EmailText>
            </strong>
            <br />
            {roles.map((role) => ROLE_TEXTS[role].title).join(', ')}
          </p>
          <a href="/auth/logout" title="Log out">
            <Icon name="external" />
            <span>Log out</span>
          </a>
          <p className={styles.version}>Version {page.version}</p>
        </div>
      </nav>
      <main className={styles.content} id="content" tabIndex={-1}>
        {!isOnline && (
          <p className={styles.offline} role="status">
            You are offline. What you see may be outdated, and you cannot change anything until you
            are back online.
          </p>
        )}
        {children}
      </main>
    </div>
  )
}

const MenuIcon = () => (
  <svg viewBox="0 0 24 24" aria-hidden="true" className={styles.menuIcon}>
    <path d="M4 7h16M4 12h16M4 17h16" />
  </svg>
)

/** Finds people from every page; `/` focuses it. */
function Search() {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event
      const isTyping =
        target instanceof Element && target.closest('input, textarea, select, [role=dialog]')
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
      event.preventDefault()
      field.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = field.current?.value.trim() ?? ''
    if (text !== '') openPage(addressWith({ path: '/console/people', query: '' }, { q: text }))
  }
  return (
    <form role="search" aria-label="People" className={styles.search} onSubmit={onSubmit}>
      <label>
        <VisuallyHidden>Find a person</VisuallyHidden>
        <input ref={field} type="search" name="q" placeholder="Find a person" maxLength={256} />
        <kbd aria-hidden="true">/</kbd>
      </label>
    </form>
  )
}

function OrganizationFilter({ here }: { here: Here }) {
  const { operator } = useOperator()
  if (operator.organizations.length < 2) return null
  return (
    <label className={styles.organization}>
      <VisuallyHidden>Organization</VisuallyHidden>
      <Select
        value={parameter(here, 'organization') ?? ''}
        onChange={({ currentTarget: { value } }) =>
          openPage(addressWith(here, { organization: value }))
        }
      >
        <option value="">All organizations</option>
        {operator.organizations.map(({ organizationCode, name }) => (
          <option key={organizationCode} value={organizationCode}>
            {name}
          </option>
        ))}
      </Select>
    </label>
  )
}
