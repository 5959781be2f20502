import { ApiError } from '@portico/client/api-error'
import { readSecurity } from '@portico/contracts/account-security'
import type { Services } from '@portico/flow'
import type { Tell } from '@portico/shell/tell'
import type { Environment } from '../environment.ts'
import { loginAddress } from '../login-address.ts'
import { tokenRemovals } from '../token-removals.ts'
import type { Command, Event } from './security.flow.ts'

/** What the security page leans on. */
export interface SecurityNeeds
  extends Pick<Environment, 'client' | 'jwt' | 'replace' | 'reportError'> {
  /** Where the person is, to come back to after a new login. */
  readonly here: string
  readonly tell: Tell
}

/** Carries out what the page has done; each service reports back with an event. */
export function securityServices(needs: SecurityNeeds): Services<Event, Command> {
  const { client, jwt, replace, reportError, here, tell } = needs
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
    tell: ({ text }) => tell('ok', [text]),
    logIn: () => replace(loginAddress(here)),
  }
}
