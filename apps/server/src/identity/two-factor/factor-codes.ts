/**
 * Codes sent to an alias for the second step. A code belongs to one login and outlives it, so the login always expires
 * first. Sends share a limit with the user's passcodes, and attempts are counted across all codes.
 */
import { Refusal } from '@portico/contracts/errors'
import { PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import { limitSends, limitTexts } from '../../limits/send-limit.ts'
import { passcodeMail } from '../../mail/mails.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { passcodeText } from '../../mail/texts.ts'
import { constantTimeEqual } from '../../secrets/hashes.ts'
import { newPasscode } from '../../secrets/passcode.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { TransactionalStores } from '../../stores.ts'
import type { AliasRow } from '../identities.store.ts'
import { factorAliases } from './login-options.ts'
import type { SecondStep, WaitingLogin } from './second-step.ts'

interface FactorCodeDeps {
  readonly stores: TransactionalStores<
    'audit' | 'counters' | 'devices' | 'factorCodes' | 'identities' | 'lockoutLinks' | 'messages'
  >
  readonly vault: Vault
  readonly clock: Clock
  readonly outbox: Outbox
  readonly step: SecondStep
}

/** The keyed hash of a code, bound to its login. */
const macOf = (vault: Vault, loginUuid: string, code: string) =>
  vault.mac('factor code', `${loginUuid} ${code}`)

/** Sends a code to an e-mail or phone alias offered by the login. */
export function sendFactorCode({ stores, vault, clock, outbox, step }: FactorCodeDeps) {
  return async (
    { loginUuid, alias: aliasUuid }: { loginUuid: string; alias: string },
    visitor: Visitor,
  ): Promise<void> => {
    const { identity, method } = await step.getWaiting(loginUuid)
    const { canSendTexts } = outbox
    const { offered } = await factorAliases(stores, identity, { method, canSendTexts })
    const alias = offered.find(({ id, type }) => id === aliasUuid && type !== 'TOTP')
    if (alias === undefined) throw new Refusal('method-not-available')

    await limitSends({ stores, vault, clock }, identity.email, visitor)
    if (alias.type === 'Phone') {
      const text = { phone: alias.value, identityId: identity.id, visitor, isSetup: false }
      await limitTexts({ stores, vault, clock }, text)
    }
    const [at, code] = [clock(), newPasscode()]
    const sender = visitor.senderTo(identity.organizationCode)
    await stores.atomically(async (transaction) => {
      await transaction.factorCodes.insert({
        purposeId: loginUuid,
        aliasId: alias.id,
        codeMac: macOf(vault, loginUuid, code),
        at,
        expiresAt: at + PASSCODE_LIFETIME_MS,
      })
      await (alias.type === 'Phone'
        ? outbox.addText(transaction, passcodeText(sender, { phone: alias.value, code }))
        : outbox.add(
            transaction,
            passcodeMail(sender, { email: alias.value, code, purpose: 'second step' }),
          ))
      await transaction.audit.record(
        'second-factor-sent',
        { identityId: identity.id, at, details: { alias: alias.type } },
        visitor,
      )
    })
  }
}

/** Completes the second step with a code sent for it. */
export function redeemFactorCode({ stores, vault, clock, outbox, step }: FactorCodeDeps) {
  /**
   * Whether a code belongs to an earlier login of the same user. Such a code is consumed, because the distinct response
   * confirms that it was correct.
   */
  async function isSuperseded(
    { uuid: purposeId }: WaitingLogin,
    aliases: readonly AliasRow[],
    token: string,
  ): Promise<boolean> {
    const at = clock()
    const aliasIds = aliases.map(({ id }) => id)
    const earlier = await stores.factorCodes.listEarlier({ purposeId, aliasIds, at })
    const found = earlier.find(({ purposeId: loginUuid, codeMac }) =>
      constantTimeEqual(codeMac, macOf(vault, loginUuid, token)),
    )
    return found !== undefined && (await stores.factorCodes.consume(found.id, at))
  }

  return async (
    request: { loginUuid: string; token: string; rememberDevice?: boolean | undefined },
    visitor: Visitor,
  ): Promise<{ jwt: string }> => {
    const login = await step.getWaiting(request.loginUuid)
    const { identity, method } = login
    const { canSendTexts } = outbox
    const { offered: aliases } = await factorAliases(stores, identity, { method, canSendTexts })
    if (!aliases.some(({ type }) => type !== 'TOTP')) throw new Refusal('method-not-available')

    const sentTo = aliases.some(isPhone) ? 'phone' : 'email'
    const key = await step.countAttempt(login, visitor, sentTo)
    const code = await stores.factorCodes.find(login.uuid, macOf(vault, login.uuid, request.token))
    // A code sent to an alias that has since been removed is invalid.
    const alias = code && aliases.find(({ id }) => id === code.aliasId)
    if (code === undefined || alias === undefined) {
      await step.recordFailure(login, visitor, sentTo)
      const superseded = await isSuperseded(login, aliases, request.token)
      throw new Refusal(superseded ? 'code-superseded' : 'code-wrong')
    }
    return step.complete(login, visitor, {
      second: isPhone(alias) ? 'phone' : 'email',
      attemptKey: key,
      rememberDevice: request.rememberDevice,
      consumeProof: async (transaction, at) => {
        if (!(await transaction.factorCodes.consume(code.id, at))) throw new Refusal('code-used')
        if (isPhone(alias)) return
        await transaction.identities.updateEmailVerified(identity.id, alias.value, at)
      },
    })
  }
}

const isPhone = ({ type }: { readonly type: string }) => type === 'Phone'
