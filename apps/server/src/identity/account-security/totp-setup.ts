import { Refusal } from '@portico/contracts/errors'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import { newTotpSecret, TOTP_ALIAS, totpStep, totpUri } from '../../secrets/totp.ts'
import type { Vault } from '../../secrets/vault.ts'
import { lockSession, type OpenSession } from '../../sessions/sessions.ts'
import type { AllStores } from '../../stores.ts'
import { countAttempt } from '../count-attempt.ts'
import { assertConfirmed, type MakeChange } from './security-change.ts'

/** Sets an authenticator application up and removes it. The one in force stays until another one is confirmed. */
export function totpSetup(deps: {
  readonly stores: AllStores
  readonly vault: Vault
  readonly clock: Clock
  readonly change: MakeChange
}) {
  const { stores, vault, clock, change } = deps
  return {
    async begin(session: OpenSession, visitor: Visitor): Promise<{ secret: string; uri: string }> {
      assertConfirmed(session, clock())
      const secret = newTotpSecret()
      await stores.atomically(async (together) => {
        await lockSession(together, session, clock())
        await together.totp.begin(session.identityId, vault.wrap('totp', secret))
      })
      const issuer = visitor.senderTo(session.organizationCode).organization.companyInfo.name
      return { secret, uri: totpUri({ secret, issuer, email: session.email }) }
    },

    async confirm(code: string, session: OpenSession, visitor: Visitor): Promise<void> {
      assertConfirmed(session, clock())
      const { identityId } = session
      const pendingSecret = (await stores.totp.of(identityId))?.pending_secret ?? null
      if (pendingSecret === null) throw new Refusal('method-not-available')
      const key = await countAttempt(deps, session.email, visitor)
      const step = totpStep(vault.unwrap('totp', pendingSecret), code, clock())
      if (step === undefined) throw new Refusal('code-wrong')
      await change(session, visitor, {
        kind: 'totp-added',
        told: 'an authenticator application was set up.',
        make: async ({ totp, identities, guesses }, at) => {
          if (!(await totp.confirm({ identityId, pendingSecret, step, at }))) {
            throw new Refusal('code-used')
          }
          await guesses.giveBack(key)
          await identities.removeAliases(identityId, 'TOTP')
          const alias = { type: 'TOTP', value: TOTP_ALIAS } as const
          await identities.addAlias({ identityId, ...alias, verifiedAt: at, at })
          return true
        },
      })
    },

    remove: (session: OpenSession, visitor: Visitor): Promise<void> =>
      change(session, visitor, {
        kind: 'totp-removed',
        told: 'the authenticator application was removed.',
        make: async ({ totp, identities }) => {
          await identities.removeAliases(session.identityId, 'TOTP')
          return totp.remove(session.identityId)
        },
      }),
  }
}
