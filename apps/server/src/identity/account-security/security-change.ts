/**
 * A change to an account's security settings. It needs a confirmation from the last five minutes within the session, commits
 * together with its audit event, and is reported to the owner by mail. The login does not count: an attacker with a stolen
 * session has that too.
 */
import { Refusal } from '@portico/contracts/errors'
import { FRESH_SIGN_IN_MS } from '@portico/contracts/limits'
import { stepUpUntil } from '@portico/rules/operator-access'
import type { AuditKind } from '../../audit/audit-events.ts'
import { type Clock, isRecent } from '../../clock.ts'
import type { ConfirmationProof, FactorOrigin } from '../../database/tables.ts'
import type { Visitor } from '../../http/visitor.ts'
import { notifyOwner } from '../../mail/notify-owner.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { assertOpen, type OpenSession } from '../../sessions/sessions.ts'
import type { Stores, TransactionalStores } from '../../stores.ts'

/** The proof of the session's confirmation if it is recent enough for a change. */
export function recentProof(
  { confirmedAt, confirmedBy }: OpenSession,
  at: number,
): ConfirmationProof | undefined {
  return isRecent(confirmedAt, FRESH_SIGN_IN_MS, at) ? confirmedBy : undefined
}

/** @throws Refusal - `confirmation-needed` */
export function assertConfirmed(session: OpenSession, at: number): void {
  if (recentProof(session, at) === undefined) throw new Refusal('confirmation-needed')
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
  | 'directoryUsers'
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
    /** Whether logins at identity providers now require this factor. Other sessions that began there, without it, end. */
    readonly addsFactor?: boolean
    /** The mail's sentence after the time. */
    readonly description: string
    /** Applies the change; `origin` is that of a factor it adds. Returns whether it changed anything. */
    readonly apply: (
      transaction: Pick<Stores, ChangedStores>,
      at: number,
      origin: FactorOrigin,
    ) => Promise<boolean>
  },
) => Promise<void>

export function securityChange(deps: {
  readonly stores: TransactionalStores<ChangedStores>
  readonly clock: Clock
  readonly outbox: Outbox
}): SecurityChange {
  const { stores, clock, outbox } = deps
  return async (session, visitor, { kind, addsFactor = false, description, apply }) => {
    const at = clock()
    const provedBy = recentProof(session, at)
    if (provedBy === undefined) throw new Refusal('confirmation-needed')
    await stores.atomically(async (transaction) => {
      await transaction.identities.incrementCredentialVersion(session.identityId)
      await assertOpen(transaction, session, at)
      await assertOperatorProof(transaction, session, at)
      const origin = { addedIn: session.id, provedBy }
      if (!(await apply(transaction, at, origin))) return
      const { identityId } = session
      if (addsFactor) await transaction.sessions.endOfProviders(identityId, at, session.id)
      await notifyOwner(transaction, { outbox, session, visitor, at, change: description })
      await transaction.audit.record(kind, { identityId, at, details: { provedBy } }, visitor)
    })
  }
}
