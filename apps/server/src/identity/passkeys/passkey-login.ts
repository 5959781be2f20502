import { randomUUID } from 'node:crypto'
import { Refusal } from '@portico/contracts/errors'
import type { LoginResponse } from '@portico/contracts/identity'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import { withSharedDevice } from '../../lockout/shared-device.ts'
import type { Stores, TransactionalStores } from '../../stores.ts'
import { type AdmissionStores, type Admit, getIdentityForUpdate } from '../admission.ts'
import type { SecondStep } from '../two-factor/second-step.ts'
import type { Json, PasskeyChecks } from './passkey-checks.ts'

const purposeOf = (challengeUuid: string) => `login ${challengeUuid}`

/** Logs in with a passkey alone, which is two factors: the device, and the PIN or biometric that unlocks it. */
export function passkeySignIn(deps: {
  readonly stores: TransactionalStores<AdmissionStores | 'telemetry'>
  readonly clock: Clock
  readonly checks: PasskeyChecks
  readonly admit: Admit
}) {
  const { stores, clock, checks, admit } = deps
  return {
    async begin(visitor: Visitor): Promise<{ challengeUuid: string; options: Json }> {
      const challengeUuid = randomUUID()
      const challenge = { purpose: purposeOf(challengeUuid), requireUserVerification: true }
      return { challengeUuid, options: await checks.authenticationOptions(challenge, visitor) }
    },

    async finish(
      {
        challengeUuid,
        response,
        telemetryTrackingId,
      }: { challengeUuid: string; response: Json; telemetryTrackingId?: string | undefined },
      visitor: Visitor,
    ): Promise<LoginResponse> {
      const expected = {
        purpose: purposeOf(challengeUuid),
        response,
        requireUserVerification: true,
      }
      const { passkey, consume } = await checks.verifyAuthentication(expected, visitor)
      const identity = await stores.identities.findById(passkey.identityId)
      if (identity === undefined) throw new Refusal('passkey-refused')
      const login = stores.atomically(async (transaction) => {
        const current = await getIdentityForUpdate(transaction, identity, 'passkey-refused')
        await consume(transaction, clock())
        if (telemetryTrackingId !== undefined) {
          await transaction.telemetry.updateIdentity(telemetryTrackingId, identity.id)
        }
        return admit(transaction, current, visitor, 'passkey')
      })
      return withSharedDevice(stores, { visitor, at: clock() }, login)
    },
  }
}

/** Completes the second step with one of the user's passkeys. */
export function passkeySecondStep(deps: {
  readonly stores: Pick<Stores, 'passkeys'>
  readonly checks: PasskeyChecks
  readonly step: SecondStep
}) {
  const { stores, checks, step } = deps
  const purpose = (loginUuid: string) => `second step ${loginUuid}`
  return {
    async begin(loginUuid: string, visitor: Visitor): Promise<{ options: Json }> {
      const { identity } = await step.getWaiting(loginUuid)
      const passkeys = await stores.passkeys.list(identity.id)
      if (passkeys.length === 0) throw new Refusal('method-not-available')
      const challenge = { purpose: purpose(loginUuid), requireUserVerification: false, passkeys }
      return { options: await checks.authenticationOptions(challenge, visitor) }
    },

    async finish(
      request: { loginUuid: string; response: Json; rememberDevice?: boolean | undefined },
      visitor: Visitor,
    ): Promise<{ jwt: string }> {
      const login = await step.getWaiting(request.loginUuid)
      const { id } = login.identity
      if ((await stores.passkeys.list(id)).length === 0) throw new Refusal('method-not-available')
      const expected = {
        purpose: purpose(request.loginUuid),
        response: request.response,
        requireUserVerification: false,
      }
      const { passkey, consume } = await checks.verifyAuthentication(expected, visitor)
      if (passkey.identityId !== id) {
        await step.recordFailure(login, visitor, 'passkey')
        throw new Refusal('passkey-refused')
      }
      const { rememberDevice } = request
      return step.complete(login, visitor, {
        second: 'passkey',
        rememberDevice,
        consumeProof: consume,
      })
    },
  }
}
