/**
 * Codes sent to an alias for the second step. A code belongs to its login and lives as long as a login waits, so that
 * the login is always over before the code; sends are counted with the passcodes of the same person, guesses over all of
 * them.
 */
import { Refusal } from '@portico/contracts/errors'
import { PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import { passcodeMail } from '../../mail/mails.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { passcodeText } from '../../mail/texts.ts'
import { sameText } from '../../secrets/hashes.ts'
import { newPasscode } from '../../secrets/passcode.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { AllStores } from '../../stores.ts'
import type { AliasRow } from '../identities.store.ts'
import { countText, limitSends } from '../send-limit.ts'
import { factorAliases } from './login-options.ts'
import type { SecondStep, WaitingLogin } from './second-step.ts'

interface FactorCodeDeps {
  readonly stores: AllStores
  readonly vault: Vault
  readonly clock: Clock
  readonly outbox: Outbox
  readonly step: SecondStep
}

/** The keyed hash of a code, which is worth nothing for another login. */
const macOf = (vault: Vault, loginUuid: string, code: string) =>
  vault.mac('factor code', `${loginUuid} ${code}`)

/** Sends a code to an e-mail or phone alias that the login offered. */
export function sendFactorCode({ stores, vault, clock, outbox, step }: FactorCodeDeps) {
  return async (
    { loginUuid, alias: aliasUuid }: { loginUuid: string; alias: string },
    visitor: Visitor,
  ): Promise<void> => {
    const { identity, method } = await step.waiting(loginUuid)
    const { takesTexts } = outbox
    const { offered } = await factorAliases(stores, identity, { method, takesTexts })
    const alias = offered.find(({ id, type }) => id === aliasUuid && type !== 'TOTP')
    if (alias === undefined) throw new Refusal('method-not-available')

    await limitSends({ stores, vault, clock }, identity.email, visitor)
    if (alias.type === 'Phone') {
      const text = { phone: alias.value, identityId: identity.id, visitor, isSetup: false }
      await countText({ stores, vault, clock }, text)
    }
    const [at, code] = [clock(), newPasscode()]
    const sender = visitor.senderTo(identity.organization_code)
    await stores.atomically(async (together) => {
      await together.factorCodes.add({
        purposeId: loginUuid,
        aliasId: alias.id,
        codeMac: macOf(vault, loginUuid, code),
        at,
        expiresAt: at + PASSCODE_LIFETIME_MS,
      })
      await (alias.type === 'Phone'
        ? outbox.addText(together, passcodeText(sender, { phone: alias.value, code }))
        : outbox.add(
            together,
            passcodeMail(sender, { email: alias.value, code, purpose: 'second step' }),
          ))
      await together.audit.add({
        kind: 'second-factor-sent',
        at,
        identityId: identity.id,
        organizationCode: visitor.organization.orgCode,
        network: visitor.network,
        details: { alias: alias.type },
      })
    })
  }
}

/** Takes the second step by a code that was sent for it. */
export function redeemFactorCode({ stores, vault, clock, outbox, step }: FactorCodeDeps) {
  /**
   * Whether a code is one of an earlier login of the same person. It is used up: a guess that
   * is told apart from a wrong one must not be worth anything.
   */
  async function isSuperseded(
    { uuid: purposeId }: WaitingLogin,
    aliases: readonly AliasRow[],
    token: string,
  ): Promise<boolean> {
    const at = clock()
    const aliasIds = aliases.map(({ id }) => id)
    const earlier = await stores.factorCodes.earlier({ purposeId, aliasIds, at })
    const found = earlier.find(({ purpose_id: loginUuid, code_mac }) =>
      sameText(code_mac, macOf(vault, loginUuid, token)),
    )
    return found !== undefined && (await stores.factorCodes.redeem(found.id, at))
  }

  return async (
    given: { loginUuid: string; token: string; rememberDevice?: boolean | undefined },
    visitor: Visitor,
  ): Promise<{ jwt: string }> => {
    const login = await step.waiting(given.loginUuid)
    const { identity, method } = login
    const { takesTexts } = outbox
    const { offered: aliases } = await factorAliases(stores, identity, { method, takesTexts })
    if (!aliases.some(({ type }) => type !== 'TOTP')) throw new Refusal('method-not-available')

    const sentTo = aliases.some(isPhone) ? 'phone' : 'email'
    const key = await step.guess(login, visitor, sentTo)
    const code = await stores.factorCodes.find(login.uuid, macOf(vault, login.uuid, given.token))
    // A code for an alias that was removed meanwhile proves nothing any more.
    const alias = code && aliases.find(({ id }) => id === code.alias_id)
    if (code === undefined || alias === undefined) {
      await step.refused(login, visitor, sentTo)
      const superseded = await isSuperseded(login, aliases, given.token)
      throw new Refusal(superseded ? 'code-superseded' : 'code-wrong')
    }
    return step.complete(login, visitor, {
      second: isPhone(alias) ? 'phone' : 'email',
      attemptKey: key,
      rememberDevice: given.rememberDevice,
      proved: async (together, at) => {
        if (!(await together.factorCodes.redeem(code.id, at))) throw new Refusal('code-used')
      },
    })
  }
}

const isPhone = ({ type }: { readonly type: string }) => type === 'Phone'
