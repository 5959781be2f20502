import { ROUTER_BASE } from '@portico/contracts/limits'
import { loginFirst } from './wallet-redirects.ts'

/** Pages of signed-in people: the wallet screens of the front door (§2.2), and where sign-in leads. */
const SIGNED_IN = new RegExp(`^(?:${ROUTER_BASE}/wallet|/dashboard)(?:/|$)`)

/** Where somebody logs in whose session has ended: whoever had to be signed in comes back to where they were. */
export function loginAgain({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string {
  return SIGNED_IN.test(pathname) ? loginFirst(`${pathname}${search}`) : `${ROUTER_BASE}/login`
}
