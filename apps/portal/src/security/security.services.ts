import { ApiError } from '@portico/client/api-error'
import { readSecurity } from '@portico/contracts/account-security'
import { ROUTER_BASE } from '@portico/contracts/limits'
import type { Services } from '@portico/flow'
import { loginPathBefore } from '@portico/rules/wallet-redirects'
import type { ShowToast } from '@portico/ui/toast'
import type { Environment } from '../environment.ts'
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
        // A missing network connection is not a defect; the page shows it.
        if (!(error instanceof ApiError) || error.response !== undefined) reportError(error)
        return { type: 'unreachable' }
      }
    },
    watchToken: (_, signal) => tokenRemovals(jwt, signal),
    notify: ({ text }) => showToast({ text, tone: 'ok' }),
    logIn: () => replace(loginPathBefore(here)),
    leaveAccount() {
      jwt.remove()
      replace(`${ROUTER_BASE}/login`)
    },
  }
}

/** Yields one event when another tab removes the token; ends without one when the signal aborts. */
async function* tokenRemovals(
  jwt: Pick<Environment['jwt'], 'watch'>,
  signal: AbortSignal,
): AsyncGenerator<Event> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const stop = jwt.watch((stored) => {
    if (!stored) resolve(true)
  })
  signal.addEventListener('abort', () => resolve(false))
  const isRemoved = await promise
  stop()
  if (isRemoved) yield { type: 'signedOut' }
}
