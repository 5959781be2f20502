import { ApiError } from '@portico/client/api-error'
import { readSecurity } from '@portico/contracts/account-security'
import { ROUTER_BASE } from '@portico/contracts/limits'
import type { Services } from '@portico/flow'
import { loginFirst } from '@portico/rules/wallet-redirects'
import type { ShowToast } from '@portico/ui/toast'
import type { Environment } from '../environment.ts'
import { tokenRemovals } from '../token-removals.ts'
import type { Command, Event } from './security.flow.ts'

export interface SecurityDeps
  extends Pick<Environment, 'client' | 'jwt' | 'replace' | 'reportError'> {
  /** The current path and query, to return to after logging in again. */
  readonly here: string
  readonly showToast: ShowToast
}

export function securityServices(deps: SecurityDeps): Services<Event, Command> {
  const { client, jwt, replace, reportError, here, showToast } = deps
  return {
    async readOverview(_, signal) {
      try {
        return { type: 'overviewRead', overview: await client(readSecurity, { signal }) }
      } catch (error) {
        if (error instanceof ApiError && (error.status === 401 || error.status === 403)) {
          return { type: 'signedOut' }
        }
        // A missing network connection is not a defect; the page tells the user.
        if (!(error instanceof ApiError) || error.response !== undefined) reportError(error)
        return { type: 'unreachable' }
      }
    },
    watchToken: (_, signal) => tokenRemovals(jwt, signal),
    notify: ({ text }) => showToast({ text, tone: 'ok' }),
    logIn: () => replace(loginFirst(here)),
    leaveAccount() {
      jwt.remove()
      replace(`${ROUTER_BASE}/login`)
    },
  }
}
