/** A confirmation that it is still the same person, by password, passkey, mailed passcode or authenticator code. */
import { randomUUID } from 'node:crypto'
import type { confirmIdentity } from '@portico/contracts/account-security'
import type { Parsed } from '@portico/contracts/call'
import { Refusal } from '@portico/contracts/errors'
import { PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import type { AuditEvent } from '../../audit/audit.store.ts'
import { type Clock, isLive } from '../../clock.ts'
import type { ConfirmationProof } from '../../database/tables.ts'
import type { Visitor } from '../../http/visitor.ts'
import { passcodeMail } from '../../mail/mails.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { sameText } from '../../secrets/hashes.ts'
import { newPasscode } from '../../secrets/passcode.ts'
import { verifyPassword } from '../../secrets/passwords.ts'
import { totpStep } from '../../secrets/totp.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { OpenSession } from '../../sessions/sessions.ts'
import type { AllStores, Stores } from '../../stores.ts'
import { countAttempt } from '../count-attempt.ts'
import type { PasskeyConfirmation } from '../passkeys/passkey-confirmation.ts'
import { limitSends } from '../send-limit.ts'

interface ConfirmationDeps {
  readonly stores: AllStores
  readonly vault: Vault
  readonly clock: Clock
  readonly outbox: Outbox
}

type Given = Parsed<(typeof confirmIdentity)['body']>
/** Uses a right proof up. @throws Refusal - where somebody else was faster */
type UseUp = (together: Stores, at: number) => Promise<void>

/** The keyed hash of a passcode that confirms in one session and signs nobody in. */
const macOf = (vault: Vault, session: OpenSession, uuid: string, code: string) =>
  vault.mac('confirmation', `${session.id} ${uuid} ${code}`)

const event = (
  kind: AuditEvent['kind'],
  session: OpenSession,
  visitor: Visitor,
  at: number,
): AuditEvent => ({
  kind,
  at,
  identityId: session.identityId,
  organizationCode: visitor.organization.orgCode,
  network: visitor.network,
})

/** Sends a passcode that confirms. */
export function sendConfirmationCode(deps: ConfirmationDeps) {
  const { stores, vault, clock, outbox } = deps
  return async (session: OpenSession, visitor: Visitor): Promise<{ loginUuid: string }> => {
    const { email } = session
    await limitSends(deps, email, visitor)
    const [at, loginUuid, code] = [clock(), randomUUID(), newPasscode()]
    await stores.atomically(async (together) => {
      await together.passcodes.add({
        id: loginUuid,
        email,
        codeMac: macOf(vault, session, loginUuid, code),
        organizationCode: visitor.organization.orgCode,
        at,
        expiresAt: at + PASSCODE_LIFETIME_MS,
      })
      await outbox.add(
        together,
        passcodeMail(visitor.senderTo(session.organizationCode), {
          email,
          code,
          purpose: 'confirmation',
        }),
      )
      await together.audit.add(event('confirmation-sent', session, visitor, at))
    })
    return { loginUuid }
  }
}

/** Confirms. */
export function confirmSession(deps: ConfirmationDeps & { readonly passkey: PasskeyConfirmation }) {
  const { stores, vault, clock, passkey } = deps

  async function byPassword(session: OpenSession, password: string): Promise<UseUp> {
    const identity = await stores.identities.byId(session.identityId)
    if (!(await verifyPassword(identity?.password_hash ?? null, password))) {
      throw new Refusal('wrong-password')
    }
    return async () => undefined
  }

  async function byTotp({ identityId }: OpenSession, code: string): Promise<UseUp> {
    const totp = await stores.totp.of(identityId)
    const secret = totp?.secret ?? null
    const step = secret === null ? undefined : totpStep(vault.unwrap('totp', secret), code, clock())
    if (step === undefined) throw new Refusal('code-wrong')
    return async (together) => {
      if (!(await together.totp.accept(identityId, step))) throw new Refusal('code-used')
    }
  }

  async function byPasscode(session: OpenSession, uuid: string, code: string): Promise<UseUp> {
    const passcode = await stores.passcodes.byId(uuid)
    const mac = macOf(vault, session, uuid, code)
    if (passcode === undefined || !sameText(passcode.code_mac, mac)) {
      throw new Refusal('code-wrong')
    }
    if (passcode.redeemed_at !== null) throw new Refusal('code-used')
    if (!isLive(passcode.expires_at, PASSCODE_LIFETIME_MS, clock()))
      throw new Refusal('code-expired')
    return async (together, at) => {
      if (!(await together.passcodes.redeem(uuid, at))) throw new Refusal('code-used')
    }
  }

  function proofOf(given: Given): ConfirmationProof {
    if ('passkey' in given) return 'passkey'
    if ('password' in given) return 'password'
    return 'totp' in given ? 'totp' : 'passcode'
  }

  function proof(given: Given, session: OpenSession, visitor: Visitor): Promise<UseUp> {
    if ('passkey' in given) return passkey.prove(given.passkey, session, visitor)
    if ('password' in given) return byPassword(session, given.password)
    if ('totp' in given) return byTotp(session, given.totp)
    return byPasscode(session, given.loginUuid, given.token)
  }

  return async (
    given: Given,
    {
      session,
      visitor,
      approval,
    }: { session: OpenSession; visitor: Visitor; approval?: string | undefined },
  ): Promise<void> => {
    // Nobody guesses a signature: a passkey takes no guess, and works when others have used the guesses up.
    const key = 'passkey' in given ? undefined : await countAttempt(deps, session.email, visitor)
    const useUp = await proof(given, session, visitor).catch(async (error: unknown) => {
      await stores.audit.add(event('confirmation-refused', session, visitor, clock()))
      throw error
    })
    await stores.atomically(async (together) => {
      const at = clock()
      await useUp(together, at)
      if (key !== undefined) await together.guesses.giveBack(key)
      await together.sessions.confirm(session.id, proofOf(given), at)
      if (approval !== undefined && !(await together.approvals.prove(approval, session.id, at))) {
        throw new Refusal('approval-over')
      }
      await together.audit.add(event('confirmed', session, visitor, at))
    })
  }
}
