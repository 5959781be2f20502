import { Refusal } from '@portico/contracts/errors'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import { totpStep } from '../../secrets/totp.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { Stores } from '../../stores.ts'
import type { SecondStep } from './second-step.ts'

/** Completes the second step with a code of an authenticator app. Each time step is accepted once. */
export function redeemTotpCode(deps: {
  readonly stores: Pick<Stores, 'totp'>
  readonly vault: Vault
  readonly clock: Clock
  readonly step: SecondStep
}) {
  const { stores, vault, clock, step } = deps
  return async (
    request: { loginUuid: string; code: string; rememberDevice?: boolean | undefined },
    visitor: Visitor,
  ): Promise<{ jwt: string }> => {
    const login = await step.getWaiting(request.loginUuid)
    const { id } = login.identity
    const totp = await stores.totp.find(id)
    if (totp === undefined || totp.secret === null) throw new Refusal('method-not-available')

    const attemptKey = await step.countAttempt(login, visitor, 'totp')
    const accepted = totpStep(vault.unwrap('totp', totp.secret), request.code, clock())
    if (accepted === undefined) {
      await step.recordFailure(login, visitor, 'totp')
      throw new Refusal('code-wrong')
    }
    return step.complete(login, visitor, {
      second: 'totp',
      attemptKey,
      rememberDevice: request.rememberDevice,
      consumeProof: async (transaction) => {
        if (!(await transaction.totp.consumeStep(id, accepted))) throw new Refusal('code-used')
      },
    })
  }
}
