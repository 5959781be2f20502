/**
 * What follows a right first factor (§4.4): a locked account is told so, one whose login has moved is sent there,
 * anybody else gets a session. The only place where sessions begin.
 */
import type { LoginResponse } from '@portico/contracts/identity'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import { newDeviceMail } from '../mail/mails.ts'
import type { Outbox } from '../mail/outbox.ts'
import { randomSecret, sha256 } from '../secrets/hashes.ts'
import type { Sessions, SignInMethod } from '../sessions/sessions.ts'
import type { Stores } from '../stores.ts'
import type { IdentityRow } from './identities.store.ts'

/** Admits somebody whose first factor was right. */
export type Admit = (
  stores: Stores,
  identity: IdentityRow,
  visitor: Visitor,
  method: SignInMethod,
) => Promise<LoginResponse>

/** Makes the admission. */
export function admission(needs: {
  readonly sessions: Sessions
  readonly outbox: Outbox
  readonly clock: Clock
}): Admit {
  return async (stores, identity, visitor, method) => {
    const at = needs.clock()
    const event = {
      at,
      identityId: identity.id,
      organizationCode: visitor.organization.orgCode,
      network: visitor.network,
      details: { method },
    }
    if (identity.locked_at !== null) {
      await stores.audit.add({ ...event, kind: 'sign-in-locked' })
      return { isAccountManuallyLocked: true }
    }
    if (identity.login_redirect !== null) return { redirectUrl: identity.login_redirect }

    const jwt = await needs.sessions.open(stores, identity, visitor, method)
    const seen = await recognise(stores, identity.id, visitor, at)
    if (seen === 'new') {
      await needs.outbox.add(stores, newDeviceMail(visitor, { email: identity.email, at }))
      await stores.audit.add({ ...event, kind: 'new-device' })
    }
    await stores.audit.add({ ...event, kind: 'signed-in' })
    return { jwt }
  }
}

/**
 * Recognises the browser, or gives it a name. One that this person has never signed in with gets a new name: the one it
 * carries may have been planted by somebody who knows it. Whoever shares the browser is recognised by the new one too.
 */
async function recognise(
  { devices }: Pick<Stores, 'devices'>,
  identityId: string,
  visitor: Visitor,
  at: number,
): Promise<'known' | 'first' | 'new'> {
  const carried = sha256(visitor.deviceCookie ?? '')
  const seen = await devices.seen(carried, identityId)
  const device =
    seen === 'known' && visitor.deviceCookie !== undefined ? visitor.deviceCookie : randomSecret()
  if (seen !== 'known') await devices.inherit(carried, sha256(device), at)
  await devices.remember(sha256(device), identityId, at)
  visitor.keepDevice(device)
  return seen
}
