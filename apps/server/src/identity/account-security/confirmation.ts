/**
 * Confirms the user's identity again, by password, passkey, e-mailed passcode or authenticator code. A factor that the session
 * itself may have added is refused, and for a payment one that is new.
 */
import { randomUUID } from 'node:crypto'
import type { confirmIdentity } from '@portico/contracts/account-security'
import type { Parsed } from '@portico/contracts/call'
import { Refusal } from '@portico/contracts/errors'
import { PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import { type ConfirmationPurpose, canConfirm, type FactorAge } from '@portico/rules/factor-age'
import type { Clock } from '../../clock.ts'
import type { ConfirmationProof } from '../../database/tables.ts'
import type { Visitor } from '../../http/visitor.ts'
import { limitSends } from '../../limits/send-limit.ts'
import { countAttempt, refundIfBusy } from '../../lockout/lockout.ts'
import { passcodeMail } from '../../mail/mails.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { constantTimeEqual } from '../../secrets/hashes.ts'
import { assertUsable, newPasscode } from '../../secrets/passcode.ts'
import { verifyPassword } from '../../secrets/password-hash.ts'
import { totpStep } from '../../secrets/totp.ts'
import type { Vault } from '../../secrets/vault.ts'
import { lockSession, type OpenSession } from '../../sessions/sessions.ts'
import type { Stores, TransactionalStores } from '../../stores.ts'
import type { PasskeyConfirmation } from '../passkeys/passkey-confirmation.ts'
import { passkeyAge, passwordAge, totpAge } from './factor-ages.ts'

interface ConfirmationDeps {
  readonly stores: TransactionalStores<
    | 'approvals'
    | 'attempts'
    | 'audit'
    | 'counters'
    | 'devices'
    | 'identities'
    | 'lockoutLinks'
    | 'messages'
    | 'passcodes'
    | 'passkeys'
    | 'sessions'
    | 'totp'
  >
  readonly vault: Vault
  readonly clock: Clock
  readonly outbox: Outbox
}

type ConfirmationRequest = Parsed<(typeof confirmIdentity)['body']>
/** Consumes a verified proof. @throws Refusal - if a concurrent request consumed it first */
type ConsumeProof = (
  transaction: Pick<Stores, 'identities' | 'passcodes' | 'passkeys' | 'totp'>,
  at: number,
) => Promise<void>

/** The session to confirm, and what for. */
interface Context {
  readonly session: OpenSession
  readonly purpose: ConfirmationPurpose
  readonly at: number
}

/** @throws Refusal - `factor-too-new` */
function assertOld(factor: FactorAge, context: Context): void {
  if (!canConfirm(factor, context)) throw new Refusal('factor-too-new')
}

/** The keyed hash of a passcode that confirms one session and cannot be used to log in. */
const macOf = (vault: Vault, session: OpenSession, uuid: string, code: string) =>
  vault.mac('confirmation', `${session.id} ${uuid} ${code}`)

/** E-mails a passcode for a confirmation. */
export function sendConfirmationCode(deps: ConfirmationDeps) {
  const { stores, vault, clock, outbox } = deps
  return async (session: OpenSession, visitor: Visitor): Promise<{ loginUuid: string }> => {
    const { email } = session
    assertOld(session.emailChange, { session, purpose: 'change', at: clock() })
    await limitSends(deps, email, visitor)
    const [at, loginUuid, code] = [clock(), randomUUID(), newPasscode()]
    await stores.atomically(async (transaction) => {
      await transaction.passcodes.insert({
        id: loginUuid,
        email,
        codeMac: macOf(vault, session, loginUuid, code),
        organizationCode: visitor.organization.orgCode,
        at,
        expiresAt: at + PASSCODE_LIFETIME_MS,
      })
      await outbox.add(
        transaction,
        passcodeMail(visitor.senderTo(session.organizationCode), {
          email,
          code,
          purpose: 'confirmation',
        }),
      )
      await transaction.audit.record(
        'confirmation-sent',
        { identityId: session.identityId, at },
        visitor,
      )
    })
    return { loginUuid }
  }
}

export function confirmSession(deps: ConfirmationDeps & { readonly passkey: PasskeyConfirmation }) {
  const { stores, vault, clock, passkey } = deps

  async function byPassword(
    context: Context,
    password: string,
    visitor: Visitor,
  ): Promise<ConsumeProof> {
    const identity = await stores.identities.findById(context.session.identityId)
    // The account was deleted after the request began.
    if (identity === undefined) throw new Refusal('session-ended')
    assertOld(passwordAge(identity), context)
    const wait = { client: visitor, line: 'others' } as const
    if (!(await verifyPassword(identity.passwordHash, password, wait))) {
      throw new Refusal('wrong-password')
    }
    return async () => undefined
  }

  async function byTotp(context: Context, code: string): Promise<ConsumeProof> {
    const { identityId } = context.session
    const totp = await stores.totp.find(identityId)
    const secret = totp?.secret ?? null
    if (totp !== undefined && secret !== null) assertOld(totpAge(totp), context)
    const step = secret === null ? undefined : totpStep(vault.unwrap('totp', secret), code, clock())
    if (step === undefined) throw new Refusal('code-wrong')
    return async (transaction) => {
      if (!(await transaction.totp.consumeStep(identityId, step))) throw new Refusal('code-used')
    }
  }

  async function byPasscode(context: Context, uuid: string, code: string): Promise<ConsumeProof> {
    const { session } = context
    assertOld(session.emailChange, context)
    const passcode = await stores.passcodes.findById(uuid)
    const mac = macOf(vault, session, uuid, code)
    if (passcode === undefined || !constantTimeEqual(passcode.codeMac, mac)) {
      throw new Refusal('code-wrong')
    }
    assertUsable(passcode, clock())
    return async (transaction, at) => {
      if (!(await transaction.passcodes.consume(uuid, at))) throw new Refusal('code-used')
      await transaction.identities.updateEmailVerified(session.identityId, passcode.email, at)
    }
  }

  function proofOf(request: ConfirmationRequest): ConfirmationProof {
    if ('passkey' in request) return 'passkey'
    if ('password' in request) return 'password'
    return 'totp' in request ? 'totp' : 'passcode'
  }

  async function byPasskey(
    context: Context,
    response: Parameters<PasskeyConfirmation['prove']>[0],
    visitor: Visitor,
  ): Promise<ConsumeProof> {
    const proof = await passkey.prove(response, context.session, visitor)
    assertOld(passkeyAge(proof.passkey), context)
    return proof.consume
  }

  function verifyProof(
    request: ConfirmationRequest,
    context: Context,
    visitor: Visitor,
  ): Promise<ConsumeProof> {
    if ('passkey' in request) return byPasskey(context, request.passkey, visitor)
    if ('password' in request) return byPassword(context, request.password, visitor)
    if ('totp' in request) return byTotp(context, request.totp)
    return byPasscode(context, request.loginUuid, request.token)
  }

  return async (
    request: ConfirmationRequest,
    {
      session,
      visitor,
      approval,
    }: { session: OpenSession; visitor: Visitor; approval?: string | undefined },
  ): Promise<void> => {
    const purpose = approval === undefined ? 'change' : 'payment'
    // A passkey signature cannot be guessed: it counts no attempt and works during a lockout.
    const key = 'passkey' in request ? undefined : await countAttempt(deps, session.email, visitor)
    const context = { session, purpose, at: clock() } as const
    const verified = refundIfBusy(stores, key, verifyProof(request, context, visitor))
    const consumeProof = await verified.catch(async (error: unknown) => {
      if (error instanceof Refusal && error.code === 'busy') throw error
      await stores.audit.record(
        'confirmation-refused',
        { identityId: session.identityId, at: clock() },
        visitor,
      )
      throw error
    })
    await stores.atomically(async (transaction) => {
      const at = clock()
      await lockSession(transaction, session, at)
      await consumeProof(transaction, at)
      if (key !== undefined) await transaction.attempts.refund(key)
      await transaction.sessions.updateConfirmed(session.id, proofOf(request), at)
      if (
        approval !== undefined &&
        !(await transaction.approvals.updateProven(approval, session.id, at))
      ) {
        throw new Refusal('approval-over')
      }
      await transaction.audit.record('confirmed', { identityId: session.identityId, at }, visitor)
    })
  }
}
