import { ApiError } from '@portico/client/api-error'
import { readSecurity } from '@portico/contracts/account-security'
import { ROUTER_BASE } from '@portico/contracts/limits'
import type { Services } from '@portico/flow'
import { loginFirst } from '@portico/rules/wallet-redirects'
import type { ShowToast } from '@portico/ui/toast'
import type { Environment } from '../environment.ts'
import { tokenRemovals } from '../token-removals.ts'
import type { Command, Event } from './security.flow.ts'

/** What the security page leans on. */
export interface SecurityDeps
  extends Pick<Environment, 'client' | 'jwt' | 'replace' | 'reportError'> {
  /** Where the person is, to come back to after a new login. */
  readonly here: string
  readonly showToast: ShowToast
}

/** Carries out what the page has done; each service reports back with an event. */
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
        // No connection is nobody's fault here, and the page says so.
        if (!(error instanceof ApiError) || error.response !== undefined) reportError(error)
        return { type: 'unreachable' }
      }
    },
    watchToken: (_, signal) => tokenRemovals(jwt, signal),
    tell: ({ text }) => showToast({ text, tone: 'ok' }),
    logIn: () => replace(loginFirst(here)),
    leaveAccount() {
      jwt.remove()
      replace(`${ROUTER_BASE}/login`)
    },
  }
}
