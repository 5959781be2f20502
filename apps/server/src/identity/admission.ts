/**
 * Decides what follows a correct first factor (§4.4). Accounts that are locked or have left their organization's directory
 * are refused, an account with a `loginRedirect` is redirected, and a second factor is requested unless this browser is
 * remembered. Otherwise a session starts. The only other way to start a session is a login at an identity provider, which
 * accounts managed by one must use. All other accounts have their second factor requested after it, too.
 */
import { randomUUID } from 'node:crypto'
import { type ErrorCode, Refusal } from '@portico/contracts/errors'
import type { LoginResponse } from '@portico/contracts/identity'
import { FIRST_FACTOR_LIFETIME_MS, REMEMBERED_DEVICE_MS } from '@portico/contracts/limits'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import { newDeviceMail } from '../mail/mails.ts'
import type { Outbox } from '../mail/outbox.ts'
import { randomSecret, sha256 } from '../secrets/hashes.ts'
import type { Proof, Sessions, SignInMethod } from '../sessions/sessions.ts'
import type { Stores } from '../stores.ts'
import type { IdentityRow } from './identities.store.ts'
import { loginOptions } from './two-factor/login-options.ts'

/** The stores that a login uses after the first factor. */
export type AdmissionStores =
  | 'audit'
  | 'devices'
  | 'directoryUsers'
  | 'factorLogins'
  | 'identities'
  | 'messages'
  | 'passkeys'
  | 'providers'
  | 'recoveryCodes'
  | 'sessions'

export type Admit = (
  stores: Pick<Stores, AdmissionStores>,
  identity: IdentityRow,
  visitor: Visitor,
  method: SignInMethod,
) => Promise<LoginResponse>

/** Requests the second factor of a login if one is required and the browser is not remembered. */
export type RequestSecondStep = (
  stores: Pick<Stores, AdmissionStores>,
  identity: IdentityRow,
  visitor: Visitor,
  method: SignInMethod,
) => Promise<LoginResponse['twoFactorOptions']>

/** Starts the session of a user who has proved every required factor. Returns its token. */
export type StartSession = (
  stores: Pick<Stores, 'audit' | 'devices' | 'messages' | 'providers' | 'sessions'>,
  identity: IdentityRow,
  visitor: Visitor,
  proof: Proof & { readonly rememberDevice?: boolean | undefined },
) => Promise<string>

/**
 * Locks the identity's row for the login transaction, so that a credential change commits entirely before or after it.
 * Returns the current row. `admit` handles accounts locked by support.
 *
 * @throws Refusal - `code` if the credentials changed after they were verified
 */
export async function getIdentityForUpdate(
  { identities }: Pick<Stores, 'identities'>,
  verified: Pick<IdentityRow, 'id' | 'credentialVersion'>,
  code: ErrorCode,
): Promise<IdentityRow> {
  const identity = await identities.findForUpdate(verified.id)
  if (identity === undefined) throw new Refusal(code)
  const changed = identity.credentialVersion !== verified.credentialVersion
  if (changed && identity.lockedAt === null) throw new Refusal(code)
  return identity
}

/** The refusal for an account that an identity provider manages: the same as for a wrong password, code or passkey. */
const NOT_ADMITTED: Readonly<Record<Exclude<SignInMethod, 'provider'>, ErrorCode>> = {
  password: 'wrong-credentials',
  passcode: 'code-wrong',
  passkey: 'passkey-refused',
}

export function admission(deps: {
  readonly sessions: Sessions
  readonly outbox: Outbox
  readonly clock: Clock
}): {
  readonly admit: Admit
  readonly requestSecondStep: RequestSecondStep
  readonly startSession: StartSession
} {
  const eventOf = (identity: IdentityRow, { method, second }: Proof) => ({
    identityId: identity.id,
    at: deps.clock(),
    details: second === undefined ? { method } : { method, second },
  })

  const startSession: StartSession = async (
    stores,
    identity,
    visitor,
    { rememberDevice = false, ...proof },
  ) => {
    const event = eventOf(identity, proof)
    const { email } = identity
    const { seen, device } = await recognize(stores, identity.id, visitor, event.at)
    const jwt = await deps.sessions.open(stores, identity, visitor, proof)
    if (seen === 'new') {
      const provider = (await stores.providers.findManager(identity.id))?.name
      const sender = visitor.senderTo(identity.organizationCode)
      await deps.outbox.add(stores, newDeviceMail(sender, { email, provider, at: event.at }))
      await stores.audit.record('new-device', event, visitor)
    }
    if (rememberDevice) {
      await stores.devices.updateTrust(sha256(device), identity.id, event.at + REMEMBERED_DEVICE_MS)
    }
    await stores.audit.record('signed-in', event, visitor)
    return jwt
  }

  const requestSecondStep: RequestSecondStep = async (stores, identity, visitor, method) => {
    const event = eventOf(identity, { method })
    const options = await loginOptions(stores, identity, {
      method,
      canSendTexts: deps.outbox.canSendTexts,
    })
    const deviceHash = sha256(visitor.deviceCookie ?? '')
    if (
      options === undefined ||
      (await stores.devices.isTrusted(deviceHash, identity.id, event.at))
    ) {
      return undefined
    }
    const loginUuid = randomUUID()
    const expiresAt = event.at + FIRST_FACTOR_LIFETIME_MS
    await stores.factorLogins.insert({
      id: loginUuid,
      identityId: identity.id,
      method,
      credentialVersion: identity.credentialVersion,
      at: event.at,
      expiresAt,
    })
    await stores.audit.record('second-factor-asked', event, visitor)
    return { loginUuid, ...options }
  }

  const admit: Admit = async (stores, identity, visitor, method) => {
    const manager = await stores.providers.findManager(identity.id)
    if (manager !== undefined && method !== 'provider') throw new Refusal(NOT_ADMITTED[method])
    const event = eventOf(identity, { method })
    if (identity.lockedAt !== null || (await stores.directoryUsers.hasLeft(identity.id))) {
      await stores.audit.record('sign-in-locked', event, visitor)
      return { isAccountManuallyLocked: true }
    }
    if (identity.loginRedirect !== null) return { redirectUrl: identity.loginRedirect }

    const twoFactorOptions = await requestSecondStep(stores, identity, visitor, method)
    if (twoFactorOptions !== undefined) return { twoFactorOptions }
    return { jwt: await startSession(stores, identity, visitor, { method }) }
  }

  return { admit, requestSecondStep, startSession }
}

/**
 * Recognizes the browser, or assigns it a new device ID. A browser that this user has never logged in with always gets
 * a new ID, because an attacker may have planted the one it carries. `withSharedDevice` lets other users of the browser be recognized by
 * the new ID too.
 */
async function recognize(
  { devices }: Pick<Stores, 'devices'>,
  identityId: string,
  visitor: Visitor,
  at: number,
): Promise<{ readonly seen: 'known' | 'first' | 'new'; readonly device: string }> {
  const deviceHash = sha256(visitor.deviceCookie ?? '')
  const seen = await devices.getStatus(deviceHash, identityId)
  const device =
    seen === 'known' && visitor.deviceCookie !== undefined ? visitor.deviceCookie : randomSecret()
  await devices.upsert(sha256(device), identityId, at)
  visitor.keepDevice(device)
  return { seen, device }
}
