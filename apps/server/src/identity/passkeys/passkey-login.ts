import { randomUUID } from 'node:crypto'
import { Refusal } from '@portico/contracts/errors'
import type { LoginResponse } from '@portico/contracts/identity'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { AllStores } from '../../stores.ts'
import { type Admit, identityInTurn } from '../admission.ts'
import type { SecondStep } from '../two-factor/second-step.ts'
import type { PasskeyChecks } from './passkey-checks.ts'

type Json = Record<string, unknown>

const purposeOf = (challengeUuid: string) => `login ${challengeUuid}`

/** Signs in with a passkey alone: the device is one factor, and what unlocks it the other. */
export function passkeySignIn(deps: {
  readonly stores: AllStores
  readonly clock: Clock
  readonly checks: PasskeyChecks
  readonly admit: Admit
}) {
  const { stores, clock, checks, admit } = deps
  return {
    async begin(visitor: Visitor): Promise<{ challengeUuid: string; options: Json }> {
      const challengeUuid = randomUUID()
      const asked = { purpose: purposeOf(challengeUuid), verifiesUser: true }
      return { challengeUuid, options: await checks.authentication(asked, visitor) }
    },

    async finish(
      { challengeUuid, response }: { challengeUuid: string; response: Json },
      visitor: Visitor,
    ): Promise<LoginResponse> {
      const given = { purpose: purposeOf(challengeUuid), response, verifiesUser: true }
      const { passkey, useUp } = await checks.answered(given, visitor)
      const identity = await stores.identities.byId(passkey.identity_id)
      if (identity === undefined) throw new Refusal('passkey-refused')
      return stores.atomically(async (together) => {
        const current = await identityInTurn(together, identity, 'passkey-refused')
        await useUp(together, clock())
        return admit(together, current, visitor, 'passkey')
      })
    },
  }
}

/** Takes the second step with one of the person's passkeys. */
export function passkeySecondStep(deps: {
  readonly stores: AllStores
  readonly checks: PasskeyChecks
  readonly step: SecondStep
}) {
  const { stores, checks, step } = deps
  const purpose = (loginUuid: string) => `second step ${loginUuid}`
  return {
    async begin(loginUuid: string, visitor: Visitor): Promise<{ options: Json }> {
      const { identity } = await step.waiting(loginUuid)
      const passkeys = await stores.passkeys.of(identity.id)
      if (passkeys.length === 0) throw new Refusal('method-not-available')
      const asked = { purpose: purpose(loginUuid), verifiesUser: false, passkeys }
      return { options: await checks.authentication(asked, visitor) }
    },

    async finish(
      given: { loginUuid: string; response: Json; rememberDevice?: boolean | undefined },
      visitor: Visitor,
    ): Promise<{ jwt: string }> {
      const login = await step.waiting(given.loginUuid)
      const { id } = login.identity
      if ((await stores.passkeys.of(id)).length === 0) throw new Refusal('method-not-available')
      const answer = {
        purpose: purpose(given.loginUuid),
        response: given.response,
        verifiesUser: false,
      }
      const { passkey, useUp } = await checks.answered(answer, visitor)
      if (passkey.identity_id !== id) {
        await step.refused(login, visitor, 'passkey')
        throw new Refusal('passkey-refused')
      }
      const { rememberDevice } = given
      return step.complete(login, visitor, { second: 'passkey', rememberDevice, proved: useUp })
    },
  }
}
