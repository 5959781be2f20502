import { ROUTER_BASE } from '@portico/contracts/limits'
import { loginFirst } from './wallet-redirects.ts'

/** Pages of signed-in people: the wallet screens of the front door (§2.2), and where sign-in leads. */
const SIGNED_IN = new RegExp(`^(?:${ROUTER_BASE}/wallet|/dashboard)(?:/|$)`)

/** Where a person whose session has ended logs in again. From a page for signed-in people they return to that page. */
export function loginAgain({
  pathname,
  search,
  hash,
}: Pick<Location, 'pathname' | 'search' | 'hash'>): string {
  return SIGNED_IN.test(pathname)
    ? loginFirst(`${pathname}${search}${hash}`)
    : `${ROUTER_BASE}/login`
}

/** What a query says of the page it came to, and not of where the user wants to go. */
const OF_THE_PAGE = ['step', 'loginUuid', 'identityUuid', 'state']

/**
 * Where a user continues who may have no password yet: a code is sent at once (`otp`), and then a password can be set
 * (`flow`, §2.3). Where they wanted to go is kept.
 */
export function loginByCode({ search }: Pick<Location, 'search'>, email: string): string {
  const query = new URLSearchParams(search)
  for (const name of OF_THE_PAGE) query.delete(name)
  query.set('email', email)
  query.set('otp', 'true')
  if (!query.get('flow')?.endsWith('new-user')) query.set('flow', 'new-user')
  return `${ROUTER_BASE}/login?${query}`
}
