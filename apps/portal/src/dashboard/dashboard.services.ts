import { ApiError } from '@portico/client/api-error'
import { readIdentity } from '@portico/contracts/identity'
import { ROUTER_BASE } from '@portico/contracts/limits'
import type { Services } from '@portico/flow'
import type { Environment } from '../environment.ts'
import type { Command, Event } from './dashboard.flow.ts'

/** What the signed-in person's page leans on. */
export interface DashboardNeeds
  extends Pick<Environment, 'client' | 'jwt' | 'replace' | 'reportError'> {
  /** Where the person is, to come back to after a new login. */
  readonly here: string
}

/** Carries out what the page has done; each service reports back with an event. */
export function dashboardServices(needs: DashboardNeeds): Services<Event, Command> {
  const { client, jwt, replace, reportError, here } = needs
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
    watchToken: (_, signal) => removals(jwt, signal),
    logIn: () => replace(`${ROUTER_BASE}/login?${new URLSearchParams({ redirectUrl: here })}`),
  }
}

/** Says once that another tab has removed the token, unless nobody listens any more. */
async function* removals(jwt: Environment['jwt'], signal: AbortSignal): AsyncGenerator<Event> {
  const removed = Promise.withResolvers<boolean>()
  const stop = jwt.watch((stored) => {
    if (!stored) removed.resolve(true)
  })
  signal.addEventListener('abort', () => removed.resolve(false))
  const wasRemoved = await removed.promise
  stop()
  if (wasRemoved) yield { type: 'signedOut' }
}
