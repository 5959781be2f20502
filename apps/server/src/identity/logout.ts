import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { AllStores } from '../stores.ts'

/** Ends the session of the visitor's cookie, if it opens one, and takes the cookie away. */
export function signOut(needs: {
  readonly stores: AllStores
  readonly sessions: Sessions
  readonly clock: Clock
}) {
  return async (visitor: Visitor): Promise<void> => {
    const at = needs.clock()
    const session = await needs.sessions.ofCookie(visitor.sessionCookie)
    if (session) {
      await needs.stores.sessions.end(session.id, at)
      await needs.stores.audit.add({
        kind: 'signed-out',
        at,
        identityId: session.identityId,
        organizationCode: visitor.organization.orgCode,
        network: visitor.network,
      })
    }
    visitor.dropSession()
  }
}
