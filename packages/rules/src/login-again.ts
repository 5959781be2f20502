import { ROUTER_BASE } from '@portico/contracts/limits'
import { loginPathBefore } from './wallet-redirects.ts'

/**
 * Pages for signed-in users: the wallet screens (§2.2), flow requests (§4.10), the pages after sign-in, and the operator
 * console.
 */
const SIGNED_IN = new RegExp(
  `^(?:${ROUTER_BASE}/(?:gatekeeper|wallet)|/console|/dashboard|/universal-passport)(?:/|$)`,
)

/** The login URL after a session has ended. From a page for signed-in users it returns to that page. */
export function loginAgain({
  pathname,
  search,
  hash,
}: Pick<Location, 'pathname' | 'search' | 'hash'>): string {
  return SIGNED_IN.test(pathname)
    ? loginPathBefore(`${pathname}${search}${hash}`)
    : `${ROUTER_BASE}/login`
}

/** Query parameters that belong to the current page and not to the user's destination. */
const PAGE_PARAMETERS = ['step', 'loginUuid', 'identityUuid', 'state']

/**
 * The login URL for users who may have no password yet: a code is sent immediately (`otp`), and then a password can be
 * set (`flow`, §2.3). The destination is kept.
 */
export function loginByCode({ search }: Pick<Location, 'search'>, email: string): string {
  const query = new URLSearchParams(search)
  for (const name of PAGE_PARAMETERS) query.delete(name)
  query.set('email', email)
  query.set('otp', 'true')
  if (!query.get('flow')?.endsWith('new-user')) query.set('flow', 'new-user')
  return `${ROUTER_BASE}/login?${query}`
}
