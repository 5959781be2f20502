/**
 * What follows a right first factor (§4.4): a locked account is told so, one whose login has moved is sent there, one
 * with a second factor is asked for it, unless this browser was confirmed before and may be remembered; anybody else
 * gets a session. The only place where sessions begin.
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

/** Admits somebody whose first factor was right. */
export type Admit = (
  stores: Stores,
  identity: IdentityRow,
  visitor: Visitor,
  method: SignInMethod,
) => Promise<LoginResponse>

/** Opens the session of somebody who has proved enough; gives its token. */
export type Enter = (
  stores: Stores,
  identity: IdentityRow,
  visitor: Visitor,
  proof: Proof & { readonly rememberDevice?: boolean | undefined },
) => Promise<string>

/**
 * Locks the identity for the transaction that signs in, so that a change of its credentials comes before or after it as a
 * whole; gives it as it is then. Whether it is locked by support is for `admit` to tell.
 *
 * @throws Refusal - `code` where the credentials changed after they were verified
 */
export async function identityInTurn(
  { identities }: Pick<Stores, 'identities'>,
  verified: Pick<IdentityRow, 'id' | 'credential_version'>,
  code: ErrorCode,
): Promise<IdentityRow> {
  const identity = await identities.inTurn(verified.id)
  if (identity === undefined) throw new Refusal(code)
  const changed = identity.credential_version !== verified.credential_version
  if (changed && identity.locked_at === null) throw new Refusal(code)
  return identity
}

/** Makes the admission. */
export function admission(deps: {
  readonly sessions: Sessions
  readonly outbox: Outbox
  readonly clock: Clock
}): { readonly admit: Admit; readonly enter: Enter } {
  const eventOf = (identity: IdentityRow, visitor: Visitor, { method, second }: Proof) => ({
    at: deps.clock(),
    identityId: identity.id,
    organizationCode: visitor.organization.orgCode,
    network: visitor.network,
    details: second === undefined ? { method } : { method, second },
  })

  const enter: Enter = async (stores, identity, visitor, { rememberDevice = false, ...proof }) => {
    const event = eventOf(identity, visitor, proof)
    const { email } = identity
    const jwt = await deps.sessions.open(stores, identity, visitor, proof)
    const { seen, device } = await recognize(stores, identity.id, visitor, event.at)
    if (seen === 'new') {
      await deps.outbox.add(
        stores,
        newDeviceMail(visitor.senderTo(identity.organization_code), { email, at: event.at }),
      )
      await stores.audit.add({ ...event, kind: 'new-device' })
    }
    if (rememberDevice) {
      await stores.devices.trust(sha256(device), identity.id, event.at + REMEMBERED_DEVICE_MS)
    }
    await stores.audit.add({ ...event, kind: 'signed-in' })
    return jwt
  }

  const admit: Admit = async (stores, identity, visitor, method) => {
    const event = eventOf(identity, visitor, { method })
    if (identity.locked_at !== null) {
      await stores.audit.add({ ...event, kind: 'sign-in-locked' })
      return { isAccountManuallyLocked: true }
    }
    if (identity.login_redirect !== null) return { redirectUrl: identity.login_redirect }

    const options = await loginOptions(stores, identity, {
      method,
      takesTexts: deps.outbox.takesTexts,
    })
    const carried = sha256(visitor.deviceCookie ?? '')
    if (options === undefined || (await stores.devices.trusted(carried, identity.id, event.at))) {
      return { jwt: await enter(stores, identity, visitor, { method }) }
    }
    const loginUuid = randomUUID()
    const expiresAt = event.at + FIRST_FACTOR_LIFETIME_MS
    await stores.factorLogins.add({
      id: loginUuid,
      identityId: identity.id,
      method,
      credentialVersion: identity.credential_version,
      at: event.at,
      expiresAt,
    })
    await stores.audit.add({ ...event, kind: 'second-factor-asked' })
    return { twoFactorOptions: { loginUuid, ...options } }
  }

  return { admit, enter }
}

/**
 * Recognises the browser, or gives it a name. One that this person has never signed in with gets a new name: the one it
 * carries may have been planted by somebody who knows it. Whoever shares the browser is recognized by the new one too.
 */
async function recognize(
  { devices }: Pick<Stores, 'devices'>,
  identityId: string,
  visitor: Visitor,
  at: number,
): Promise<{ readonly seen: 'known' | 'first' | 'new'; readonly device: string }> {
  const carried = sha256(visitor.deviceCookie ?? '')
  const seen = await devices.seen(carried, identityId)
  const device =
    seen === 'known' && visitor.deviceCookie !== undefined ? visitor.deviceCookie : randomSecret()
  if (seen !== 'known' && visitor.deviceCookie !== undefined) {
    await devices.inherit(carried, sha256(device), at)
  }
  await devices.remember(sha256(device), identityId, at)
  visitor.keepDevice(device)
  return { seen, device }
}
