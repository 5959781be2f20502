/**
 * A change of the e-mail address, confirmed at both: a code goes to the current address and one to the new address. A new
 * address that has an account already is answered alike; its owner is told by mail, and no code is right.
 */
import { randomUUID } from 'node:crypto'
import { Refusal } from '@portico/contracts/errors'
import { PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import { type Clock, isLive } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import { addressTakenMail, emailChangedMail, passcodeMail } from '../../mail/mails.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { sameText } from '../../secrets/hashes.ts'
import { newPasscode } from '../../secrets/passcode.ts'
import type { Vault } from '../../secrets/vault.ts'
import { assertOpen, lockSession, type OpenSession } from '../../sessions/sessions.ts'
import type { AllStores } from '../../stores.ts'
import { countAttempt } from '../count-attempt.ts'
import { limitSends } from '../send-limit.ts'
import { maskedEmail } from '../two-factor/mask.ts'
import { assertConfirmed } from './security-change.ts'

interface EmailChangeCodes {
  readonly changeUuid: string
  readonly currentToken: string
  readonly newToken: string
}

/** Begins and completes a change of the e-mail address. */
export function emailChange(deps: {
  readonly stores: AllStores
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
      assertConfirmed(session, clock())
      if (email === session.email) throw new Refusal('email-unchanged')
      await limitSends(deps, session.email, visitor)
      await limitSends(deps, email, visitor)
      const [at, id] = [clock(), randomUUID()]
      const [currentCode, newCode] = [newPasscode(), newPasscode()]
      const owner = await stores.identities.byEmail(email)
      const sender = visitor.senderTo(session.organizationCode)
      const current = {
        email: session.email,
        code: currentCode,
        purpose: 'current address',
      } as const
      await stores.atomically(async (together) => {
        await lockSession(together, session, at)
        await together.emailChanges.insert({
          id,
          identity_id: session.identityId,
          email,
          current_code_mac: macOf(id, 'current', currentCode),
          new_code_mac: macOf(id, 'new', owner ? randomUUID() : newCode),
          created_at: at,
          expires_at: at + PASSCODE_LIFETIME_MS,
          completed_at: null,
        })
        await outbox.add(together, passcodeMail(sender, current))
        await outbox.add(
          together,
          owner
            ? addressTakenMail(visitor.senderTo(owner.organization_code), { email })
            : passcodeMail(sender, { email, code: newCode, purpose: 'new address' }),
        )
        await together.audit.add({
          kind: 'email-change-begun',
          at,
          identityId: session.identityId,
          organizationCode: visitor.organization.orgCode,
          network: visitor.network,
        })
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
      // Both codes are always compared, so that the answer does not tell which one was wrong.
      const right = [
        sameText(change?.current_code_mac ?? '', macOf(changeUuid, 'current', currentToken)),
        sameText(change?.new_code_mac ?? '', macOf(changeUuid, 'new', newToken)),
      ].every(Boolean)
      if (change === undefined || !right) throw new Refusal('code-wrong')
      if (change.completed_at !== null) throw new Refusal('code-used')
      if (!isLive(change.expires_at, PASSCODE_LIFETIME_MS, clock()))
        throw new Refusal('code-expired')
      const { email } = change
      const sender = visitor.senderTo(session.organizationCode)
      const changed = stores.atomically(async (together) => {
        const at = clock()
        await together.identities.raiseCredentialVersion(identityId)
        await assertOpen(together, session, at)
        if (!(await together.emailChanges.consume(changeUuid, at))) throw new Refusal('code-used')
        // Their codes went to an address that is not the current one any more.
        await together.emailChanges.consumeOthers(identityId, at)
        // Its owner may have registered after the code was sent.
        if (
          !(await together.identities.changeEmail({ id: identityId, from: previous, email, at }))
        ) {
          throw new Refusal('code-used')
        }
        await together.guesses.giveBack(key)
        for (const address of [previous, email]) await together.passcodes.expireAll(address, at)
        await together.sessions.endOthers(identityId, sessionId, at)
        await together.devices.distrust(identityId)
        for (const to of [previous, email]) {
          await outbox.add(
            together,
            emailChangedMail(sender, { to, shown: maskedEmail(email), at }),
          )
        }
        await together.audit.add({
          kind: 'email-changed',
          at,
          identityId,
          organizationCode: visitor.organization.orgCode,
          network: visitor.network,
        })
      })
      await changed.catch(async (error: unknown) => {
        // Somebody registered the address between the look and the change, which their row then refused.
        const owner = await stores.identities.byEmail(email)
        if (owner !== undefined && owner.id !== identityId) throw new Refusal('code-used')
        throw error
      })
    },
  }
}
