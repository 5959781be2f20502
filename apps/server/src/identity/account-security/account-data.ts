/** Export of all that is stored about an account, and its deletion. */
import type { AccountExport } from '@portico/contracts/account-security'
import { Refusal } from '@portico/contracts/errors'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import { accountDeletedMail, dataExportedMail } from '../../mail/mails.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { assertOpen, type OpenSession } from '../../sessions/sessions.ts'
import type { AllStores } from '../../stores.ts'
import type { securityOverview } from './overview.ts'
import { assertConfirmed } from './security-change.ts'

interface AccountDataDeps {
  readonly stores: AllStores
  readonly clock: Clock
  readonly outbox: Outbox
}

const time = (at: number) => new Date(at).toISOString()

/** Exports the data of the signed-in user: nothing secret, and nothing that opens an account. */
export function exportAccount(
  deps: AccountDataDeps & { readonly overview: ReturnType<typeof securityOverview> },
) {
  const { stores, clock, outbox, overview } = deps
  return async (session: OpenSession, visitor: Visitor): Promise<AccountExport> => {
    const at = clock()
    assertConfirmed(session, at)
    const { identityId, email } = session
    const identity = await stores.identities.byId(identityId)
    if (identity === undefined) throw new Refusal('session-ended')
    const shown = await overview(session)
    const accounts = await stores.accounts.ofIdentity(identityId)
    const { arrival, wallets, approvals, events } = await stores.accountData.export(identityId)
    await stores.atomically(async (together) => {
      await outbox.add(
        together,
        dataExportedMail(visitor.senderTo(session.organizationCode), { email, at }),
      )
      await together.audit.add({
        kind: 'data-exported',
        at,
        identityId,
        organizationCode: visitor.organization.orgCode,
        network: visitor.network,
      })
    })
    return {
      exportedAt: time(at),
      identity: {
        uuid: identityId,
        email,
        organizationCode: identity.organization_code,
        profileType: identity.profile_type,
        createdAt: time(identity.created_at),
        updatedAt: time(identity.updated_at),
        hasPassword: shown.hasPassword,
        aliases: shown.aliases.map(({ type, value }) => ({ type, value })),
      },
      security: {
        emailFactorEnabled: shown.emailFactorEnabled,
        totpEnabled: shown.totpEnabled,
        recoveryQuestions: shown.questions.map(({ question }) => question),
        recoveryCodesLeft: shown.recoveryCodesLeft,
        passkeys: shown.passkeys.map(({ name, createdAt, lastUsedAt }) => ({
          name,
          createdAt: time(createdAt),
          lastUsedAt: lastUsedAt === null ? null : time(lastUsedAt),
        })),
        sessions: shown.sessions.map(({ device, network, method, signedInAt }) => ({
          device,
          network,
          method,
          signedInAt: time(signedInAt),
        })),
      },
      wallets: wallets.map(({ address, name, type, created_at }) => ({
        address,
        name,
        type,
        createdAt: time(created_at),
      })),
      organizationAccounts: accounts.map(({ address, name, type, wallet_address }) => ({
        address,
        name,
        authorizationType: type,
        walletAddress: wallet_address,
      })),
      walletRequests: approvals.map(({ kind, address, origin, created_at, decided_at }) => ({
        kind,
        address,
        origin,
        createdAt: time(created_at),
        decidedAt: decided_at === null ? null : time(decided_at),
      })),
      arrivedWith:
        arrival === undefined ? null : (JSON.parse(arrival.query_params) as Record<string, string>), // Stored as such.
      events: events.map(({ at: happenedAt, kind, organization_code, network, details }) => ({
        at: time(happenedAt),
        kind,
        organizationCode: organization_code,
        network,
        details: JSON.parse(details) as Record<string, string | number>, // Stored as such.
      })),
    }
  }
}

/**
 * Deletes the account of the signed-in user, who types its address to prove that this is the account they mean. The
 * address is free afterwards. The keys of hosted wallets go too, which has to be asked for by itself.
 */
export function deleteAccount({ stores, clock, outbox }: AccountDataDeps) {
  return async (
    given: { readonly email: string; readonly deleteHostedWallets?: boolean | undefined },
    session: OpenSession,
    visitor: Visitor,
  ): Promise<void> => {
    const at = clock()
    assertConfirmed(session, at)
    const { identityId, email } = session
    if (given.email !== email) throw new Refusal('email-not-yours')
    await stores.atomically(async (together) => {
      await together.identities.raiseCredentialVersion(identityId)
      await assertOpen(together, session, at)
      const hasKeys = await together.accountData.hasHostedKeys(identityId)
      if (hasKeys && given.deleteHostedWallets !== true) throw new Refusal('hosted-wallets-remain')
      await together.accountData.delete({ identityId, email })
      await outbox.add(
        together,
        accountDeletedMail(visitor.senderTo(session.organizationCode), { email, at }),
      )
      await together.audit.add({
        kind: 'account-deleted',
        at,
        identityId,
        organizationCode: visitor.organization.orgCode,
        network: visitor.network,
      })
    })
    visitor.dropSession()
  }
}
