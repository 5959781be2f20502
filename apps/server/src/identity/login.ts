import { Refusal } from '@portico/contracts/errors'
import type { LoginResponse } from '@portico/contracts/identity'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import { verifyPassword } from '../secrets/passwords.ts'
import type { Vault } from '../secrets/vault.ts'
import type { AllStores } from '../stores.ts'
import { type Admit, identityInTurn } from './admission.ts'
import type { LockoutLink } from './lockout-link.ts'

/** Signs in with e-mail address and password; an unknown address takes as long and reads as a wrong password does. */
export function passwordLogin(deps: {
  readonly stores: AllStores
  readonly vault: Vault
  readonly clock: Clock
  readonly admit: Admit
  readonly lockoutLink: LockoutLink
}) {
  const { stores, clock, admit, lockoutLink } = deps
  return async (
    {
      email,
      password,
      telemetryTrackingId,
    }: { email: string; password: string; telemetryTrackingId?: string | undefined },
    visitor: Visitor,
  ): Promise<LoginResponse> => {
    const key = await lockoutLink.countAttempt(email, visitor)

    const identity = await stores.identities.byEmail(email)
    const right = await verifyPassword(identity?.password_hash ?? null, password)
    if (!identity || !right) {
      await stores.audit.add({
        kind: 'sign-in-refused',
        at: clock(),
        identityId: identity?.id ?? null,
        organizationCode: visitor.organization.orgCode,
        network: visitor.network,
      })
      throw new Refusal('wrong-credentials')
    }
    return stores.atomically(async (together) => {
      const current = await identityInTurn(together, identity, 'wrong-credentials')
      await together.guesses.giveBack(key)
      if (telemetryTrackingId !== undefined) {
        await together.telemetry.tie(telemetryTrackingId, identity.id)
      }
      return admit(together, current, visitor, 'password')
    })
  }
}
