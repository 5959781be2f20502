import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import type { OpenSession, Sessions } from '../sessions/sessions.ts'
import type { Stores } from '../stores.ts'

interface LogoutDeps {
  readonly stores: Pick<Stores, 'audit' | 'sessions'>
  readonly sessions: Sessions
  readonly clock: Clock
}

/** Clears the cookies and ends their sessions. An operator who views a person's pages is logged out as well. */
export function signOut(deps: LogoutDeps) {
  return async (visitor: Visitor): Promise<void> => {
    // Cleared first, so that the browser is logged out even if the database fails.
    visitor.dropSession()
    const { sessionCookie, ownSessionCookie } = visitor
    const at = deps.clock()
    if (sessionCookie?.kind === 'viewing') {
      visitor.dropViewing()
      await endViewing(deps, await deps.sessions.ofCookie(sessionCookie), visitor)
    }
    const session = await deps.sessions.ofCookie(ownSessionCookie)
    if (session) {
      await deps.stores.sessions.end(session.id, at)
      const { identityId } = session
      await deps.stores.audit.record('signed-out', { identityId, at }, visitor)
    }
  }
}

/** Ends the session in which an operator views a person's pages, and keeps the operator's own. */
export function stopViewing(deps: LogoutDeps) {
  return async (visitor: Visitor): Promise<void> => {
    const { sessionCookie } = visitor
    if (sessionCookie?.kind !== 'viewing') return
    visitor.dropViewing()
    await endViewing(deps, await deps.sessions.ofCookie(sessionCookie), visitor)
  }
}

async function endViewing(
  { stores, clock }: LogoutDeps,
  session: OpenSession | undefined,
  visitor: Visitor,
): Promise<void> {
  if (session?.operator === undefined) return
  const at = clock()
  // Of concurrent requests, exactly one ends it.
  if (!(await stores.sessions.end(session.id, at))) return
  const { identityId, operator, organizationCode } = session
  await stores.audit.record(
    'impersonation-ended',
    {
      identityId,
      at,
      organizationCode,
      operator: { id: operator.id },
      details: { session: session.id },
    },
    visitor,
  )
}
