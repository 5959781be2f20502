import { Refusal } from '@portico/contracts/errors'
import { FRESH_SIGN_IN_MS, MIN_PASSWORD_STRENGTH } from '@portico/contracts/limits'
import { type Clock, isRecent } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import { passwordChangedMail, passwordChosenMail } from '../mail/mails.ts'
import type { Outbox } from '../mail/outbox.ts'
import { hashPassword, verifyPassword } from '../secrets/password-hash.ts'
import { assertOpen, endViewsOf, type OpenSession } from '../sessions/sessions.ts'
import type { TransactionalStores } from '../stores.ts'
import { assertUnmanaged } from './account-security/security-change.ts'
import { type BreachCheck, isCommonPassword } from './breached-passwords.ts'
import { passwordStrength } from './password-strength.ts'

/**
 * Sets the signed-in user's password, ends every other session and every login in progress, and notifies the owner. Requires
 * a proof of identity from the last five minutes: the login itself, or a confirmation, which must use the current password
 * if there is one.
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
    if (!isFreshlyProven(session, at)) throw new Refusal('sign-in-too-old')
    if (await isCommonPassword(newPassword)) throw new Refusal('breached-password')
    if ((await passwordStrength(newPassword, session.email)) < MIN_PASSWORD_STRENGTH) {
      throw new Refusal('weak-password')
    }
    if (await isBreached(newPassword)) throw new Refusal('breached-password')
    const wait = { client: visitor, line: 'others' } as const
    const current = await stores.identities.findById(session.identityId)
    const currentHash = current?.passwordHash ?? null
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
      await transaction.identities.updatePassword({ id: session.identityId, passwordHash, at })
      await assertOpen(transaction, session, at)
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

function isFreshlyProven(session: OpenSession, at: number): boolean {
  const { createdAt, confirmedAt, confirmedBy, hasPassword } = session
  if (isRecent(createdAt, FRESH_SIGN_IN_MS, at)) return true
  return isRecent(confirmedAt, FRESH_SIGN_IN_MS, at) && (!hasPassword || confirmedBy === 'password')
}
