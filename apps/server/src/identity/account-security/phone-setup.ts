import { Refusal } from '@portico/contracts/errors'
import { MAX_PHONES, PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import { normalizePhone } from '@portico/rules/phone'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import { limitSends, limitTexts } from '../../limits/send-limit.ts'
import { countAttempt } from '../../lockout/lockout.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { passcodeText } from '../../mail/texts.ts'
import { assertUsable, newPasscode } from '../../secrets/passcode.ts'
import type { Vault } from '../../secrets/vault.ts'
import { lockSession, type OpenSession } from '../../sessions/sessions.ts'
import type { TransactionalStores } from '../../stores.ts'
import type { AliasRow } from '../identities.store.ts'
import { assertConfirmed, type SecurityChange } from './security-change.ts'

/** Adds phones after a code sent to them is confirmed, and removes them. */
export function phoneSetup(deps: {
  readonly stores: TransactionalStores<
    | 'attempts'
    | 'counters'
    | 'devices'
    | 'factorCodes'
    | 'identities'
    | 'lockoutLinks'
    | 'messages'
    | 'sessions'
  >
  readonly vault: Vault
  readonly clock: Clock
  readonly outbox: Outbox
  readonly change: SecurityChange
}) {
  const { stores, vault, clock, outbox, change } = deps
  const macOf = (alias: string, code: string) => vault.mac('new phone', `${alias} ${code}`)

  return {
    async begin(text: string, session: OpenSession, visitor: Visitor): Promise<{ alias: string }> {
      assertConfirmed(session, clock())
      if (!outbox.canSendTexts) throw new Refusal('texts-not-available')
      const phone = normalizePhone(text)
      if (phone === undefined) throw new Refusal('phone-invalid')
      const { identityId } = session
      await limitSends(deps, session.email, visitor)
      await limitTexts(deps, { phone, identityId, visitor, isSetup: true })

      const [at, code] = [clock(), newPasscode()]
      return stores.atomically(async (transaction) => {
        const { identities, factorCodes } = transaction
        await lockSession(transaction, session, at)
        await identities.deleteAliases(identityId, 'Phone', { unverified: true })
        const aliases = await identities.listAliases(identityId)
        const known = aliases.find(({ value }) => value === phone)
        if (known === undefined) assertRoom(aliases)
        const unverified = { identityId, type: 'Phone', value: phone, verifiedAt: null } as const
        const alias = known?.id ?? (await identities.insertAlias({ ...unverified, at }))
        await factorCodes.insert({
          purposeId: alias,
          aliasId: alias,
          codeMac: macOf(alias, code),
          at,
          expiresAt: at + PASSCODE_LIFETIME_MS,
        })
        await outbox.addText(
          transaction,
          passcodeText(visitor.senderTo(session.organizationCode), { phone, code }),
        )
        return { alias }
      })
    },

    async confirm(
      { alias, token }: { alias: string; token: string },
      session: OpenSession,
      visitor: Visitor,
    ): Promise<void> {
      assertConfirmed(session, clock())
      const key = await countAttempt(deps, session.email, visitor)
      const own = (await stores.identities.listAliases(session.identityId)).find(
        ({ id, type }) => id === alias && type === 'Phone',
      )
      const code = own && (await stores.factorCodes.find(alias, macOf(alias, token)))
      if (code === undefined) throw new Refusal('code-wrong')
      assertUsable(code, clock())
      await change(session, visitor, {
        kind: 'phone-added',
        addsFactor: true,
        description: 'a phone was added.',
        apply: async ({ factorCodes, identities, attempts }, at, origin) => {
          if (!(await factorCodes.consume(code.id, at))) throw new Refusal('code-used')
          await attempts.refund(key)
          assertRoom(
            (await identities.listAliases(session.identityId)).filter(({ id }) => id !== alias),
          )
          await identities.updateAliasVerified(alias, at, origin)
          return true
        },
      })
    },

    remove: (alias: string, session: OpenSession, visitor: Visitor): Promise<void> =>
      change(session, visitor, {
        kind: 'phone-removed',
        description: 'a phone was removed.',
        apply: async ({ identities }) =>
          (await identities.deleteAliases(session.identityId, 'Phone', { id: alias })) > 0,
      }),
  }
}

/** @throws Refusal - `too-many-factors` if the maximum number of phones is reached */
function assertRoom(aliases: readonly AliasRow[]): void {
  const phones = aliases.filter(({ type, verifiedAt }) => type === 'Phone' && verifiedAt !== null)
  if (phones.length >= MAX_PHONES) throw new Refusal('too-many-factors')
}
