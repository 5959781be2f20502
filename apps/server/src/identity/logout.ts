import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import { endSession, endView, type Sessions } from '../sessions/sessions.ts'
import type { TransactionalStores } from '../stores.ts'

interface LogoutDeps {
  readonly stores: TransactionalStores<'audit' | 'sessions'>
  readonly sessions: Sessions
  readonly clock: Clock
}

/** Clears the cookies and ends their sessions. An operator who views a person's pages is logged out as well. */
export function signOut(deps: LogoutDeps) {
  return async (visitor: Visitor): Promise<void> => {
    // Cleared first, so that the browser is logged out even if the database fails.
    visitor.dropSession()
    const { ownSessionCookie } = visitor
    await stopViewing(deps)(visitor)
    const session = await deps.sessions.ofCookie(ownSessionCookie)
    if (session) await endSession(deps, session, visitor)
  }
}

/** Ends the session in which an operator views a person's pages, and keeps the operator's own. */
export function stopViewing({ stores, sessions, clock }: LogoutDeps) {
  return async (visitor: Visitor): Promise<void> => {
    const { sessionCookie } = visitor
    if (sessionCookie?.kind !== 'viewing') return
    visitor.dropViewing()
    const session = await sessions.ofCookie(sessionCookie)
    if (session?.operator === undefined) return
    const view = { ...session, operatorId: session.operator.id, endedAt: clock() }
    await stores.atomically((transaction) => endView(transaction, view, visitor))
  }
}
