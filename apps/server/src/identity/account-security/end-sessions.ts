import type { endSessions } from '@portico/contracts/account-security'
import type { Parsed } from '@portico/contracts/call'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import { endViewsOf, lockSession, type OpenSession } from '../../sessions/sessions.ts'
import type { TransactionalStores } from '../../stores.ts'
import { assertConfirmed } from './security-change.ts'

/**
 * Ends the signed-in user's sessions. Ending others needs a confirmation: with a stolen session, an attacker could otherwise
 * log out the owner and stay. Logging out everywhere needs none, because it ends the attacker's session too. Ending all others also revokes the trust in every remembered device, so that the next
 * login there requires the second factor.
 */
export function endOwnSessions(deps: {
  readonly stores: TransactionalStores<
    'audit' | 'devices' | 'identities' | 'passcodes' | 'sessions'
  >
  readonly clock: Clock
}) {
  const { stores, clock } = deps
  return async (
    request: Parsed<(typeof endSessions)['body']>,
    session: OpenSession,
    visitor: Visitor,
  ): Promise<void> => {
    const at = clock()
    const { id, identityId } = session
    const isCurrentEnded = 'uuid' in request ? request.uuid === id : request.which === 'all'
    if (!isCurrentEnded) assertConfirmed(session, at)
    await stores.atomically(async (transaction) => {
      const { identities, sessions, devices, passcodes, audit } = transaction
      await lockSession(transaction, session, at)
      if ('uuid' in request) {
        await endViewsOf(transaction, [identityId], at, request.uuid)
        await sessions.endOwn(identityId, request.uuid, at)
      } else {
        // A login in progress must not survive.
        await identities.incrementCredentialVersion(identityId)
        await passcodes.expireAll(session.email, at)
        await endViewsOf(transaction, [identityId], at)
        await sessions.endOthers(identityId, id, at)
        if (request.which === 'all') await sessions.end(id, at)
        await devices.deleteTrust(identityId)
      }
      await audit.record('sessions-ended', { identityId, at }, visitor)
    })
    if (isCurrentEnded) visitor.dropSession()
  }
}
