import type { endSessions } from '@portico/contracts/account-security'
import type { Parsed } from '@portico/contracts/call'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { OpenSession } from '../../sessions/sessions.ts'
import type { AllStores } from '../../stores.ts'

/**
 * Ends sessions of the signed-in person and of nobody else. Whoever ends all others does not trust some browser any
 * more, so every browser is asked for the second factor again.
 */
export function endOwnSessions(deps: { readonly stores: AllStores; readonly clock: Clock }) {
  const { stores, clock } = deps
  return async (
    given: Parsed<(typeof endSessions)['body']>,
    session: OpenSession,
    visitor: Visitor,
  ): Promise<void> => {
    const at = clock()
    const { id, identityId } = session
    await stores.atomically(async ({ identities, sessions, devices, passcodes, audit }) => {
      if ('uuid' in given) await sessions.endOwn(identityId, given.uuid, at)
      else {
        // A login that is under way must not outlive the others.
        await identities.raiseCredentialVersion(identityId)
        await passcodes.expireAll(session.email, at)
        await sessions.endOthers(identityId, id, at)
        if (given.which === 'all') await sessions.end(id, at)
        await devices.distrust(identityId)
      }
      await audit.add({
        kind: 'sessions-ended',
        at,
        identityId,
        organizationCode: visitor.organization.orgCode,
        network: visitor.network,
      })
    })
    const endedThis = 'uuid' in given ? given.uuid === id : given.which === 'all'
    if (endedThis) visitor.dropSession()
  }
}
