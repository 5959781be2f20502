import { Refusal } from '@portico/contracts/errors'
import type { Visitor } from '../../http/visitor.ts'
import { securityChangedMail } from '../../mail/mails.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { recoveryCodeHash } from '../../secrets/recovery-codes.ts'
import type { AllStores } from '../../stores.ts'
import type { SecondStep } from './second-step.ts'

/** Takes the second step by a recovery code, which is then used up and told to the owner. */
export function useRecoveryCode(deps: {
  readonly stores: AllStores
  readonly outbox: Outbox
  readonly step: SecondStep
}) {
  const { stores, outbox, step } = deps
  return async (
    given: { loginUuid: string; code: string },
    visitor: Visitor,
  ): Promise<{ jwt: string }> => {
    const login = await step.waiting(given.loginUuid)
    const { id, email } = login.identity
    const sender = visitor.senderTo(login.identity.organization_code)
    if ((await stores.recoveryCodes.left(id)) === 0) throw new Refusal('method-not-available')

    const attemptKey = await step.guess(login, visitor, 'recovery-code')
    const hash = recoveryCodeHash(id, given.code)
    const known = await stores.recoveryCodes.find(id, hash)
    if (known === undefined) {
      await step.refused(login, visitor, 'recovery-code')
      throw new Refusal('code-wrong')
    }
    return step.complete(login, visitor, {
      second: 'recovery-code',
      attemptKey,
      proved: async (together, at) => {
        if (!(await together.recoveryCodes.use(id, hash, at))) throw new Refusal('code-used')
        const left = await together.recoveryCodes.left(id)
        const change = `a recovery code was used to log in. You have ${left} left.`
        await outbox.add(together, securityChangedMail(sender, { email, at, change }))
      },
    })
  }
}
