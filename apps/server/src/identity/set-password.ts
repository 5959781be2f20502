import { Refusal } from '@portico/contracts/errors'
import { FRESH_SIGN_IN_MS, PASSWORD_STRENGTH_MINIMUM } from '@portico/contracts/limits'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import { passwordChangedMail, passwordChosenMail } from '../mail/mails.ts'
import type { Outbox } from '../mail/outbox.ts'
import { hashPassword } from '../secrets/passwords.ts'
import type { OpenSession } from '../sessions/sessions.ts'
import type { AllStores } from '../stores.ts'
import { type BreachCheck, isCommonPassword } from './breached-passwords.ts'
import { passwordStrength } from './password-strength.ts'

/**
 * Sets the password of the signed-in person, ends every other session and tells the owner. Somebody who has to choose
 * a password may; anybody else must have signed in, or confirmed that it is them, within the last five minutes.
 */
export function setNewPassword(needs: {
  readonly stores: AllStores
  readonly clock: Clock
  readonly outbox: Outbox
  readonly isBreached: BreachCheck
}) {
  const { stores, clock, outbox, isBreached } = needs
  return async (newPassword: string, session: OpenSession, visitor: Visitor): Promise<void> => {
    const at = clock()
    if (!session.passwordExpired && at - session.confirmedAt > FRESH_SIGN_IN_MS) {
      throw new Refusal('sign-in-too-old')
    }
    if (await isCommonPassword(newPassword)) throw new Refusal('breached-password')
    if ((await passwordStrength(newPassword, session.email)) < PASSWORD_STRENGTH_MINIMUM) {
      throw new Refusal('weak-password')
    }
    if (await isBreached(newPassword)) throw new Refusal('breached-password')
    const passwordHash = await hashPassword(newPassword)
    const { email } = session
    const mail = session.hasPassword
      ? passwordChangedMail(visitor, { email, at })
      : passwordChosenMail(visitor, { email, at })
    await stores.atomically(async (together) => {
      await together.identities.setPassword({ id: session.identityId, passwordHash, at })
      await together.sessions.endOthers(session.identityId, session.id, at)
      await together.devices.distrust(session.identityId)
      await outbox.add(together, mail)
      await together.audit.add({
        kind: 'password-set',
        at,
        identityId: session.identityId,
        organizationCode: visitor.organization.orgCode,
        network: visitor.network,
      })
    })
  }
}
