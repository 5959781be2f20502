import { DEFAULT_REDIRECT } from '@portico/contracts/limits'
import { PASSPORT_SECTIONS, type PassportSection } from '@portico/contracts/passport-sections'
import { passportRouteOf, passportTitle } from './passport-routes.ts'

/** The entries of the main navigation. */
export type Section = 'home' | 'accounts' | 'passport' | 'reviews' | 'activity' | 'security'

export const ACCOUNTS_PATH = `${DEFAULT_REDIRECT}/accounts`
export const WALLET_PATH = `${DEFAULT_REDIRECT}/wallet`
export const PASSPORT_PATH = '/universal-passport'
export const REVIEWS_PATH = `${DEFAULT_REDIRECT}/reviews`
export const ACTIVITY_PATH = `${DEFAULT_REDIRECT}/activity`
export const SECURITY_PATH = `${DEFAULT_REDIRECT}/security`

export interface Route {
  readonly title: string
  /** The entry that the page belongs to. */
  readonly section: Section
}

/** Pages by path; all of them require a session. */
const PAGES: Readonly<Record<string, Route>> = {
  [DEFAULT_REDIRECT]: { title: 'Home', section: 'home' },
  [ACCOUNTS_PATH]: { title: 'Accounts', section: 'accounts' },
  [WALLET_PATH]: { title: 'Wallet', section: 'accounts' },
  [REVIEWS_PATH]: { title: 'Reviews', section: 'reviews' },
  [ACTIVITY_PATH]: { title: 'Activity', section: 'activity' },
  [SECURITY_PATH]: { title: 'Security', section: 'security' },
}

const TRANSACTION = new RegExp(`^${DEFAULT_REDIRECT}/transactions/([0-9a-fA-F]{64})$`)

/** The path of a transaction's page. */
export const transactionPath = (hash: string) => `${DEFAULT_REDIRECT}/transactions/${hash}`

/** The hash of a transaction's page; undefined for other paths. */
export function transactionOf(path: string): string | undefined {
  return TRANSACTION.exec(path)?.[1]?.toUpperCase()
}

const REVIEW = new RegExp(`^${REVIEWS_PATH}/([0-9a-f-]{36})/([^/]+)$`)

/** The path of a section's review page. */
export interface ReviewKey {
  readonly passportUuid: string
  readonly section: PassportSection
}

export const reviewPath = ({ passportUuid, section }: ReviewKey) =>
  `${REVIEWS_PATH}/${passportUuid}/${section}`

/** The section that a review page shows; undefined for other paths. */
export function reviewOf(path: string): ReviewKey | undefined {
  const [, passportUuid, name] = REVIEW.exec(path) ?? []
  const section = PASSPORT_SECTIONS.find((each) => each === name)
  return passportUuid === undefined || section === undefined ? undefined : { passportUuid, section }
}

/** The page at a path; undefined for unknown paths. */
export function routeOf(path: string): Route | undefined {
  if (transactionOf(path) !== undefined) return { title: 'Transaction', section: 'activity' }
  const passport = passportRouteOf(path)
  if (passport !== undefined) return { title: passportTitle(passport), section: 'passport' }
  if (reviewOf(path) !== undefined) return { title: 'Review', section: 'reviews' }
  return Object.hasOwn(PAGES, path) ? PAGES[path] : undefined
}

/** The document title of a page. */
export function documentTitle(path: string, company: string): string {
  return `${routeOf(path)?.title ?? 'Page not found'} | ${company}`
}
