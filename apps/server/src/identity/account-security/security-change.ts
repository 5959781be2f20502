/**
 * A change to an account's security settings. It needs a confirmation from the last five minutes, commits together with
 * its audit event, and is reported to the owner by mail.
 */
import { Refusal } from '@portico/contracts/errors'
import { FRESH_SIGN_IN_MS } from '@portico/contracts/limits'
import { stepUpUntil } from '@portico/rules/operator-access'
import type { AuditKind } from '../../audit/audit-events.ts'
import { type Clock, isRecent } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import { securityChangedMail } from '../../mail/mails.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { assertOpen, type OpenSession } from '../../sessions/sessions.ts'
import type { Stores, TransactionalStores } from '../../stores.ts'

/** Whether the session is confirmed recently enough for a change. */
export function isConfirmed({ confirmedAt }: OpenSession, at: number): boolean {
  return isRecent(confirmedAt, FRESH_SIGN_IN_MS, at)
}

/** @throws Refusal - `confirmation-needed` */
export function assertConfirmed(session: OpenSession, at: number): void {
  if (!isConfirmed(session, at)) throw new Refusal('confirmation-needed')
}

/** @throws Refusal - `account-managed` if only an identity provider decides how the user logs in */
export async function assertUnmanaged(
  { providers }: Pick<Stores, 'providers'>,
  { identityId }: OpenSession,
): Promise<void> {
  if ((await providers.findManager(identityId)) !== undefined) throw new Refusal('account-managed')
}

/**
 * Asserts that an operator with a passkey or authenticator has just used one. Otherwise a stolen session could add a passkey
 * of its own and confirm sensitive calls with it.
 *
 * @throws Refusal - `second-factor-missing`
 */
async function assertOperatorProof(
  { identityRoles, passkeys, totp }: Pick<Stores, 'identityRoles' | 'passkeys' | 'totp'>,
  session: OpenSession,
  at: number,
): Promise<void> {
  const until = stepUpUntil(session)
  if (until !== undefined && at < until) return
  const { identityId } = session
  if ((await identityRoles.listGrants(identityId)).length === 0) return
  const application = await totp.find(identityId)
  const hasFactor =
    (application?.secret ?? null) !== null || (await passkeys.list(identityId)).length > 0
  if (hasFactor) throw new Refusal('second-factor-missing')
}

type ChangedStores =
  | 'attempts'
  | 'audit'
  | 'factorCodes'
  | 'identities'
  | 'identityRoles'
  | 'messages'
  | 'passkeys'
  | 'providers'
  | 'recoveryCodes'
  | 'securityAnswers'
  | 'sessions'
  | 'totp'

/** Applies a change, if the session is confirmed. */
export type SecurityChange = (
  session: OpenSession,
  visitor: Visitor,
  change: {
    readonly kind: AuditKind
    /** The mail's sentence after the time. */
    readonly description: string
    /** Applies the change. Returns whether it changed anything. */
    readonly apply: (transaction: Pick<Stores, ChangedStores>, at: number) => Promise<boolean>
  },
) => Promise<void>

export function securityChange(deps: {
  readonly stores: TransactionalStores<ChangedStores>
  readonly clock: Clock
  readonly outbox: Outbox
}): SecurityChange {
  const { stores, clock, outbox } = deps
  return async (session, visitor, { kind, description, apply }) => {
    const at = clock()
    assertConfirmed(session, at)
    await stores.atomically(async (transaction) => {
      await transaction.identities.incrementCredentialVersion(session.identityId)
      await assertOpen(transaction, session, at)
      await assertOperatorProof(transaction, session, at)
      if (!(await apply(transaction, at))) return
      const { email, identityId } = session
      const provider = (await transaction.providers.findManager(identityId))?.name
      await outbox.add(
        transaction,
        securityChangedMail(visitor.senderTo(session.organizationCode), {
          email,
          provider,
          at,
          change: description,
        }),
      )
      await transaction.audit.record(kind, { identityId, at }, visitor)
    })
  }
}
