import { Refusal } from '@portico/contracts/errors'
import type { Visitor } from '../../http/visitor.ts'
import { securityChangedMail } from '../../mail/mails.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { recoveryCodeHash } from '../../secrets/recovery-codes.ts'
import type { Stores } from '../../stores.ts'
import type { SecondStep } from './second-step.ts'

/** Completes the second step with a recovery code, consumes the code and notifies the owner. */
export function useRecoveryCode(deps: {
  readonly stores: Pick<Stores, 'recoveryCodes'>
  readonly outbox: Outbox
  readonly step: SecondStep
}) {
  const { stores, outbox, step } = deps
  return async (
    request: { loginUuid: string; code: string },
    visitor: Visitor,
  ): Promise<{ jwt: string }> => {
    const login = await step.getWaiting(request.loginUuid)
    const { id, email } = login.identity
    const sender = visitor.senderTo(login.identity.organizationCode)
    if ((await stores.recoveryCodes.countUnused(id)) === 0)
      throw new Refusal('method-not-available')

    const attemptKey = await step.countAttempt(login, visitor, 'recovery-code')
    const hash = recoveryCodeHash(id, request.code)
    const known = await stores.recoveryCodes.find(id, hash)
    if (known === undefined) {
      await step.recordFailure(login, visitor, 'recovery-code')
      throw new Refusal('code-wrong')
    }
    return step.complete(login, visitor, {
      second: 'recovery-code',
      attemptKey,
      consumeProof: async (transaction, at) => {
        if (!(await transaction.recoveryCodes.consume(id, hash, at))) throw new Refusal('code-used')
        const left = await transaction.recoveryCodes.countUnused(id)
        const change = `a recovery code was used to log in. You have ${left} left.`
        await outbox.add(transaction, securityChangedMail(sender, { email, at, change }))
      },
    })
  }
}
