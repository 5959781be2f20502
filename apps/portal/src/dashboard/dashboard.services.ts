import { ApiError } from '@portico/client/api-error'
import { readIdentity } from '@portico/contracts/identity'
import type { Services } from '@portico/flow'
import { loginFirst } from '@portico/rules/wallet-redirects'
import type { Environment } from '../environment.ts'
import { tokenRemovals } from '../token-removals.ts'
import type { Command, Event } from './dashboard.flow.ts'

export interface DashboardDeps
  extends Pick<Environment, 'client' | 'jwt' | 'replace' | 'reportError'> {
  /** The current path and query, to return to after logging in again. */
  readonly here: string
}

export function dashboardServices(deps: DashboardDeps): Services<Event, Command> {
  const { client, jwt, replace, reportError, here } = deps
  return {
    async readIdentity(_, signal) {
      try {
        await client(readIdentity, { signal })
        return { type: 'identityRead' }
      } catch (error) {
        if (error instanceof ApiError && (error.status === 401 || error.status === 403)) {
          return { type: 'signedOut' }
        }
        reportError(error)
        return { type: 'unreachable' }
      }
    },
    watchToken: (_, signal) => tokenRemovals(jwt, signal),
    logIn: () => replace(loginFirst(here)),
  }
}
