import { Refusal } from '@portico/contracts/errors'
import { FRESH_SIGN_IN_MS, MIN_PASSWORD_STRENGTH } from '@portico/contracts/limits'
import { type Clock, isRecent } from '../clock.ts'
import type { FactorProof } from '../database/tables.ts'
import type { Visitor } from '../http/visitor.ts'
import { passwordChangedMail, passwordChosenMail } from '../mail/mails.ts'
import type { Outbox } from '../mail/outbox.ts'
import { hashPassword, verifyPassword } from '../secrets/password-hash.ts'
import { assertOpen, endViewsOf, type OpenSession } from '../sessions/sessions.ts'
import type { TransactionalStores } from '../stores.ts'
import { assertUnmanaged, recentProof } from './account-security/security-change.ts'
import { type BreachCheck, isCommonPassword } from './breached-passwords.ts'
import type { IdentityRow } from './identities.store.ts'
import { passwordStrength } from './password-strength.ts'

/**
 * Sets the signed-in user's password, ends every other session and every login in progress, and notifies the owner. Requires
 * a confirmation from the last five minutes. A missing or expired password, for which the login asks, can be set for five minutes
 * after the login without one.
 */
export function setNewPassword(deps: {
  readonly stores: TransactionalStores<
    'audit' | 'devices' | 'identities' | 'messages' | 'passcodes' | 'providers' | 'sessions'
  >
  readonly clock: Clock
  readonly outbox: Outbox
  readonly isBreached: BreachCheck
}) {
  const { stores, clock, outbox, isBreached } = deps
  return async (newPassword: string, session: OpenSession, visitor: Visitor): Promise<void> => {
    const at = clock()
    await assertUnmanaged(stores, session)
    const current = await stores.identities.findById(session.identityId)
    const provedBy = current && proofOf(session, current, at)
    if (current === undefined || provedBy === undefined) throw new Refusal('sign-in-too-old')
    if (await isCommonPassword(newPassword)) throw new Refusal('breached-password')
    const own = visitor.senderTo(session.organizationCode).organization
    const companyNames = [own, visitor.organization].flatMap(({ companyInfo }) => [
      companyInfo.name,
      companyInfo.legalName,
    ])
    const strength = await passwordStrength(newPassword, { email: session.email, companyNames })
    if (strength < MIN_PASSWORD_STRENGTH) {
      throw new Refusal('weak-password')
    }
    if (await isBreached(newPassword)) throw new Refusal('breached-password')
    const wait = { client: visitor, line: 'others' } as const
    const { passwordHash: currentHash } = current
    if (currentHash !== null && (await verifyPassword(currentHash, newPassword, wait))) {
      throw new Refusal('password-unchanged')
    }
    const passwordHash = await hashPassword(newPassword, wait)
    const { email } = session
    const sender = visitor.senderTo(session.organizationCode)
    const mail = session.hasPassword
      ? passwordChangedMail(sender, { email, at })
      : passwordChosenMail(sender, { email, at })
    await stores.atomically(async (transaction) => {
      const locked = await transaction.identities.findForUpdate(session.identityId)
      await assertOpen(transaction, session, at)
      // Another tab, or an attacker with the same session, has set a password, which the login no longer asks for.
      if (locked?.credentialVersion !== current.credentialVersion)
        throw new Refusal('sign-in-too-old')
      const { id: sessionId, identityId: id } = session
      await transaction.identities.updatePassword({ id, passwordHash, at, sessionId, provedBy })
      await transaction.passcodes.expireAll(email, at)
      await endViewsOf(transaction, [session.identityId], at)
      await transaction.sessions.endOthers(session.identityId, session.id, at)
      await transaction.devices.deleteTrust(session.identityId)
      await outbox.add(transaction, mail)
      await transaction.audit.record(
        'password-set',
        { identityId: session.identityId, at },
        visitor,
      )
    })
  }
}

/** What allows the session to set a password. */
function proofOf(session: OpenSession, current: IdentityRow, at: number): FactorProof | undefined {
  const proof = recentProof(session, at)
  if (proof !== undefined) return proof
  const { passwordHash, passwordExpiredAt, passwordSetAt } = current
  const { method, createdAt } = session
  // 'Forgot Password' logs in by a mailed code, which then sets one password (§2.3).
  const isForgotten = method === 'passcode' && (passwordSetAt ?? 0) < createdAt
  const isAsked = passwordHash === null || passwordExpiredAt !== null || isForgotten
  if (!isAsked || method === 'provider' || !isRecent(createdAt, FRESH_SIGN_IN_MS, at)) {
    return undefined
  }
  // Registering counts as a login, too: an attacker with the same session may be faster than the owner.
  return 'login'
}
