/**
 * Changes the e-mail address after codes sent to the current and the new address are confirmed. If the new address
 * already has an account, the response is the same, no code matches, and the account's owner is notified by mail.
 */
import { randomUUID } from 'node:crypto'
import { Refusal } from '@portico/contracts/errors'
import { PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import { limitSends } from '../../limits/send-limit.ts'
import { countAttempt } from '../../lockout/lockout.ts'
import { addressTakenMail, emailChangedMail, passcodeMail } from '../../mail/mails.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { constantTimeEqual } from '../../secrets/hashes.ts'
import { assertUsable, newPasscode } from '../../secrets/passcode.ts'
import type { Vault } from '../../secrets/vault.ts'
import { assertOpen, endViewsOf, lockSession, type OpenSession } from '../../sessions/sessions.ts'
import type { TransactionalStores } from '../../stores.ts'
import { maskEmail } from '../two-factor/mask.ts'
import { assertConfirmed, assertUnmanaged } from './security-change.ts'

interface EmailChangeCodes {
  readonly changeUuid: string
  readonly currentToken: string
  readonly newToken: string
}

export function emailChange(deps: {
  readonly stores: TransactionalStores<
    | 'attempts'
    | 'audit'
    | 'counters'
    | 'devices'
    | 'emailChanges'
    | 'identities'
    | 'lockoutLinks'
    | 'messages'
    | 'passcodes'
    | 'providers'
    | 'sessions'
  >
  readonly vault: Vault
  readonly clock: Clock
  readonly outbox: Outbox
}) {
  const { stores, vault, clock, outbox } = deps
  const macOf = (id: string, which: 'current' | 'new', code: string) =>
    vault.mac('email change', `${id} ${which} ${code}`)

  return {
    async begin(
      email: string,
      session: OpenSession,
      visitor: Visitor,
    ): Promise<{ changeUuid: string }> {
      await assertUnmanaged(stores, session)
      assertConfirmed(session, clock())
      if (email === session.email) throw new Refusal('email-unchanged')
      await limitSends(deps, session.email, visitor)
      await limitSends(deps, email, visitor)
      const [at, id] = [clock(), randomUUID()]
      const [currentCode, newCode] = [newPasscode(), newPasscode()]
      const owner = await stores.identities.findByEmail(email)
      const sender = visitor.senderTo(session.organizationCode)
      const current = {
        email: session.email,
        code: currentCode,
        purpose: 'current address',
      } as const
      await stores.atomically(async (transaction) => {
        await lockSession(transaction, session, at)
        await transaction.emailChanges.insert({
          id,
          identityId: session.identityId,
          email,
          currentCodeMac: macOf(id, 'current', currentCode),
          newCodeMac: macOf(id, 'new', owner ? randomUUID() : newCode),
          createdAt: at,
          expiresAt: at + PASSCODE_LIFETIME_MS,
          completedAt: null,
        })
        await outbox.add(transaction, passcodeMail(sender, current))
        await outbox.add(
          transaction,
          owner
            ? addressTakenMail(visitor.senderTo(owner.organizationCode), { email })
            : passcodeMail(sender, { email, code: newCode, purpose: 'new address' }),
        )
        await transaction.audit.record(
          'email-change-begun',
          { identityId: session.identityId, at },
          visitor,
        )
      })
      return { changeUuid: id }
    },

    async confirm(
      { changeUuid, currentToken, newToken }: EmailChangeCodes,
      session: OpenSession,
      visitor: Visitor,
    ): Promise<void> {
      assertConfirmed(session, clock())
      const { id: sessionId, identityId, email: previous } = session
      const key = await countAttempt(deps, previous, visitor)
      const change = await stores.emailChanges.find(changeUuid, identityId)
      // Always compare both codes, so that timing does not reveal which one was wrong.
      const isCorrect = [
        constantTimeEqual(change?.currentCodeMac ?? '', macOf(changeUuid, 'current', currentToken)),
        constantTimeEqual(change?.newCodeMac ?? '', macOf(changeUuid, 'new', newToken)),
      ].every(Boolean)
      if (change === undefined || !isCorrect) throw new Refusal('code-wrong')
      assertUsable({ redeemedAt: change.completedAt, expiresAt: change.expiresAt }, clock())
      const { email } = change
      const sender = visitor.senderTo(session.organizationCode)
      const changed = stores.atomically(async (transaction) => {
        const at = clock()
        await transaction.identities.incrementCredentialVersion(identityId)
        await assertOpen(transaction, session, at)
        if (!(await transaction.emailChanges.consume(changeUuid, at)))
          throw new Refusal('code-used')
        // Other pending changes sent a code to an address that is no longer the current one.
        await transaction.emailChanges.consumeAll(identityId, at)
        // The new address may have been registered after the code was sent.
        if (
          !(await transaction.identities.updateEmail({
            id: identityId,
            from: previous,
            email,
            at,
            sessionId,
          }))
        ) {
          throw new Refusal('code-used')
        }
        await transaction.attempts.refund(key)
        for (const address of [previous, email]) await transaction.passcodes.expireAll(address, at)
        await endViewsOf(transaction, [identityId], at)
        await transaction.sessions.endOthers(identityId, sessionId, at)
        await transaction.devices.deleteTrust(identityId)
        for (const to of [previous, email]) {
          await outbox.add(
            transaction,
            emailChangedMail(sender, { to, masked: maskEmail(email), at }),
          )
        }
        await transaction.audit.record('email-changed', { identityId, at }, visitor)
      })
      await changed.catch(async (error: unknown) => {
        // The address was registered after the check above, and the unique constraint refused the change.
        const owner = await stores.identities.findByEmail(email)
        if (owner !== undefined && owner.id !== identityId) throw new Refusal('code-used')
        throw error
      })
    },
  }
}
