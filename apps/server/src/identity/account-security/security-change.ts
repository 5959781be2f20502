/**
 * A change to how an account is protected: accepted only from somebody who proved in the last five minutes who they
 * are, made together with its record, and told to the owner by mail.
 */
import { Refusal } from '@portico/contracts/errors'
import { FRESH_SIGN_IN_MS } from '@portico/contracts/limits'
import type { AuditEvent } from '../../audit/audit.store.ts'
import { type Clock, isRecent } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import { securityChangedMail } from '../../mail/mails.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { assertOpen, type OpenSession } from '../../sessions/sessions.ts'
import type { AllStores, Stores } from '../../stores.ts'

/** Whether a change is accepted without a confirmation. */
export function isConfirmed({ confirmedAt }: OpenSession, at: number): boolean {
  return isRecent(confirmedAt, FRESH_SIGN_IN_MS, at)
}

/** @throws Refusal - `confirmation-needed` */
export function assertConfirmed(session: OpenSession, at: number): void {
  if (!isConfirmed(session, at)) throw new Refusal('confirmation-needed')
}

/** Makes a change. */
export type MakeChange = (
  session: OpenSession,
  visitor: Visitor,
  change: {
    readonly kind: AuditEvent['kind']
    /** What the owner reads, after the time. */
    readonly told: string
    /** Makes the change; tells whether there was anything to change. */
    readonly make: (together: Stores, at: number) => Promise<boolean>
  },
) => Promise<void>

/** Prepares changes. */
export function securityChange(deps: {
  readonly stores: AllStores
  readonly clock: Clock
  readonly outbox: Outbox
}): MakeChange {
  const { stores, clock, outbox } = deps
  return async (session, visitor, { kind, told, make }) => {
    const at = clock()
    assertConfirmed(session, at)
    await stores.atomically(async (together) => {
      await together.identities.raiseCredentialVersion(session.identityId)
      await assertOpen(together, session, at)
      if (!(await make(together, at))) return
      const { email, identityId } = session
      await outbox.add(
        together,
        securityChangedMail(visitor.senderTo(session.organizationCode), {
          email,
          at,
          change: told,
        }),
      )
      await together.audit.add({
        kind,
        at,
        identityId,
        organizationCode: visitor.organization.orgCode,
        network: visitor.network,
      })
    })
  }
}
