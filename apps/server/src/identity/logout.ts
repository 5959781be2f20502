import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Stores } from '../stores.ts'

/** Clears the cookie and ends its session. */
export function signOut(deps: {
  readonly stores: Pick<Stores, 'audit' | 'sessions'>
  readonly sessions: Sessions
  readonly clock: Clock
}) {
  return async (visitor: Visitor): Promise<void> => {
    // Cleared first, so that the browser is logged out even if the database fails.
    visitor.dropSession()
    const at = deps.clock()
    const session = await deps.sessions.ofCookie(visitor.sessionCookie)
    if (session) {
      await deps.stores.sessions.end(session.id, at)
      await deps.stores.audit.record('signed-out', { identityId: session.identityId, at }, visitor)
    }
  }
}
