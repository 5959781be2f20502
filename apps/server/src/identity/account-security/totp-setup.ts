import { Refusal } from '@portico/contracts/errors'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import { countAttempt } from '../../lockout/lockout.ts'
import { newTotpSecret, TOTP_ALIAS, totpStep, totpUri } from '../../secrets/totp.ts'
import type { Vault } from '../../secrets/vault.ts'
import { lockSession, type OpenSession } from '../../sessions/sessions.ts'
import type { TransactionalStores } from '../../stores.ts'
import { assertConfirmed, type SecurityChange } from './security-change.ts'

/** Sets up and removes an authenticator app. The active one stays until a new one is confirmed. */
export function totpSetup(deps: {
  readonly stores: TransactionalStores<
    'attempts' | 'devices' | 'identities' | 'lockoutLinks' | 'sessions' | 'totp'
  >
  readonly vault: Vault
  readonly clock: Clock
  readonly change: SecurityChange
}) {
  const { stores, vault, clock, change } = deps
  return {
    async begin(session: OpenSession, visitor: Visitor): Promise<{ secret: string; uri: string }> {
      assertConfirmed(session, clock())
      const secret = newTotpSecret()
      await stores.atomically(async (transaction) => {
        await lockSession(transaction, session, clock())
        await transaction.totp.upsertPending(session.identityId, vault.wrap('totp', secret))
      })
      const issuer = visitor.senderTo(session.organizationCode).organization.companyInfo.name
      return { secret, uri: totpUri({ secret, issuer, email: session.email }) }
    },

    async confirm(code: string, session: OpenSession, visitor: Visitor): Promise<void> {
      assertConfirmed(session, clock())
      const { identityId } = session
      const pendingSecret = (await stores.totp.find(identityId))?.pendingSecret ?? null
      if (pendingSecret === null) throw new Refusal('method-not-available')
      const key = await countAttempt(deps, session.email, visitor)
      const step = totpStep(vault.unwrap('totp', pendingSecret), code, clock())
      if (step === undefined) throw new Refusal('code-wrong')
      await change(session, visitor, {
        kind: 'totp-added',
        addsFactor: true,
        description: 'an authenticator app was set up.',
        apply: async ({ totp, identities, attempts }, at, origin) => {
          if (!(await totp.consumePending({ identityId, pendingSecret, step, at, origin }))) {
            throw new Refusal('code-used')
          }
          await attempts.refund(key)
          await identities.deleteAliases(identityId, 'TOTP')
          const alias = { type: 'TOTP', value: TOTP_ALIAS } as const
          await identities.insertAlias({ identityId, ...alias, verifiedAt: at, at, origin })
          return true
        },
      })
    },

    remove: (session: OpenSession, visitor: Visitor): Promise<void> =>
      change(session, visitor, {
        kind: 'totp-removed',
        description: 'the authenticator app was removed.',
        apply: async ({ totp, identities }) => {
          await identities.deleteAliases(session.identityId, 'TOTP')
          return totp.delete(session.identityId)
        },
      }),
  }
}
