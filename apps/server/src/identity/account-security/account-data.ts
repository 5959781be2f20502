/** Export and deletion of an account's data. */
import type { AccountExport } from '@portico/contracts/account-security'
import { ALL_ORGANIZATIONS } from '@portico/contracts/admin/permissions'
import { Refusal } from '@portico/contracts/errors'
import type { Passport } from '@portico/contracts/passport'
import type { Scope } from '@portico/rules/operator-permissions'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import { accountDeletedMail, dataExportedMail } from '../../mail/mails.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { assertOpen, endViewsOf, type OpenSession } from '../../sessions/sessions.ts'
import type { Stores, TransactionalStores } from '../../stores.ts'
import type { securityOverview } from './overview.ts'
import { assertConfirmed } from './security-change.ts'

interface AccountDataDeps {
  readonly stores: TransactionalStores<
    | 'accountData'
    | 'accounts'
    | 'audit'
    | 'identities'
    | 'identityRoles'
    | 'messages'
    | 'providers'
    | 'sessions'
  >
  readonly clock: Clock
  readonly outbox: Outbox
}

/** The passports that a session's user may use, with their answers: of all organizations, or within a scope. */
export type ListPassports = (session: OpenSession, scope?: Scope) => Promise<readonly Passport[]>

const isoTime = (at: number) => new Date(at).toISOString()

interface ExportDeps {
  readonly stores: Pick<Stores, 'accountData' | 'accounts' | 'identities' | 'providers'>
  readonly overview: ReturnType<typeof securityOverview>
  readonly listPassports: ListPassports
}

/** Exports the signed-in user's data. */
export function exportAccount(deps: AccountDataDeps & ExportDeps) {
  const { stores, clock, outbox } = deps
  const collect = collectAccount(deps)
  return async (session: OpenSession, visitor: Visitor): Promise<AccountExport> => {
    const at = clock()
    assertConfirmed(session, at)
    const { identityId, email } = session
    const collected = await collect(session, at)
    await stores.atomically(async (transaction) => {
      const provider = (await transaction.providers.findManager(identityId))?.name
      await outbox.add(
        transaction,
        dataExportedMail(visitor.senderTo(session.organizationCode), { email, provider, at }),
      )
      await transaction.audit.record('data-exported', { identityId, at }, visitor)
    })
    return collected
  }
}

/** Collects the data of a session's user, without secrets or anything that grants access. `scope` limits the passports. */
export function collectAccount({ stores, overview, listPassports }: ExportDeps) {
  return async (session: OpenSession, at: number, scope?: Scope): Promise<AccountExport> => {
    const { identityId, email } = session
    const identity = await stores.identities.findById(identityId)
    if (identity === undefined) throw new Refusal('session-ended')
    const shown = await overview(session)
    const accounts = await stores.accounts.listByIdentity(identityId)
    const passports = await listPassports(session, scope)
    const providers = await stores.providers.listWithDirectory(identityId)
    const { arrival, wallets, approvals, events } = await stores.accountData.getExport(identityId)
    return {
      exportedAt: isoTime(at),
      identity: {
        uuid: identityId,
        email,
        organizationCode: identity.organizationCode,
        profileType: identity.profileType,
        givenName: identity.givenName,
        familyName: identity.familyName,
        createdAt: isoTime(identity.createdAt),
        updatedAt: isoTime(identity.updatedAt),
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
          createdAt: isoTime(createdAt),
          lastUsedAt: lastUsedAt === null ? null : isoTime(lastUsedAt),
        })),
        identityProviders: providers.map(
          ({
            name,
            subject,
            isCurrent,
            createdAt,
            ownGivenName: givenName,
            ownFamilyName: familyName,
            userName,
            ...person
          }) => ({
            name,
            subject,
            isCurrent,
            givenName,
            familyName,
            connectedAt: isoTime(createdAt),
            directory: userName === null ? null : { userName, ...person },
          }),
        ),
        sessions: shown.sessions.map(({ device, network, method, signedInAt }) => ({
          device,
          network,
          method,
          signedInAt: isoTime(signedInAt),
        })),
      },
      wallets: wallets.map(({ address, name, type, createdAt }) => ({
        address,
        name,
        type,
        createdAt: isoTime(createdAt),
      })),
      organizationAccounts: accounts.map(({ address, name, type, walletAddress }) => ({
        address,
        name,
        authorizationType: type,
        walletAddress,
      })),
      passports: passports.map(exportedPassport),
      walletRequests: approvals.map(({ kind, address, origin, createdAt, decidedAt }) => ({
        kind,
        address,
        origin,
        createdAt: isoTime(createdAt),
        decidedAt: decidedAt === null ? null : isoTime(decidedAt),
      })),
      arrivedWith:
        arrival === undefined ? null : (JSON.parse(arrival.queryParams) as Record<string, string>), // Written as JSON.
      events: events.map(({ createdAt, kind, organizationCode, network, details }) => ({
        at: isoTime(createdAt),
        kind,
        organizationCode,
        network,
        details: withoutReason(details),
      })),
    }
  }
}

/** An operator's reason may concern an investigation or name others. */
function withoutReason(details: string): Record<string, string | number> {
  const { reason: _, ...rest } = JSON.parse(details) as Record<string, string | number> // Written as JSON.
  return rest
}

function exportedPassport(passport: Passport): AccountExport['passports'][number] {
  const { passportUuid, ownerWalletAddress, access, sections, members, files, history } = passport
  return {
    passportUuid,
    type: passport.passportStructureType,
    ownerWalletAddress,
    access,
    sections: sections.map(({ section, status, savedAt, answers }) => ({
      section,
      status,
      savedAt: isoTime(savedAt),
      answers,
    })),
    members: members.map(({ name, email, role, joinedAt }) => ({
      name,
      email,
      role,
      joinedAt: joinedAt === null ? null : isoTime(joinedAt),
    })),
    files: files.map(({ name, type, bytes, addedAt }) => ({
      name,
      type,
      bytes,
      addedAt: isoTime(addedAt),
    })),
    history: history.map((entry) => ({ ...entry, at: isoTime(entry.at) })),
  }
}

/**
 * Deletes an account and its data, within a transaction.
 *
 * @throws Refusal - `last-administrator` if no administrator of all organizations would remain
 */
export async function deleteAccountData(
  stores: Pick<Stores, 'accountData' | 'audit' | 'identityRoles' | 'sessions'>,
  account: { readonly identityId: string; readonly email: string; readonly at: number },
): Promise<void> {
  const { accountData, identityRoles } = stores
  const grants = await identityRoles.listGrants(account.identityId)
  const isAdministrator = grants.some(
    ({ role, organizationCode }) => role === 'admin' && organizationCode === ALL_ORGANIZATIONS,
  )
  if (isAdministrator) await identityRoles.lockAdministrators(account.at)
  await endViewsOf(stores, [account.identityId], account.at)
  await accountData.delete(account)
  if (isAdministrator && !(await identityRoles.hasAdministrator())) {
    throw new Refusal('last-administrator')
  }
}

/**
 * Deletes the signed-in user's account. The user types the e-mail address to confirm which account is meant, and the
 * address becomes available again. Deleting hosted wallet keys needs an explicit request.
 */
export function deleteAccount({
  stores,
  clock,
  outbox,
  removeFile,
}: AccountDataDeps & { readonly removeFile: (fileId: string) => Promise<void> }) {
  return async (
    request: { readonly email: string; readonly deleteHostedWallets?: boolean | undefined },
    session: OpenSession,
    visitor: Visitor,
  ): Promise<void> => {
    const at = clock()
    assertConfirmed(session, at)
    const { identityId, email } = session
    if (request.email !== email) throw new Refusal('email-not-yours')
    const files = await stores.atomically(async (transaction) => {
      await transaction.identities.incrementCredentialVersion(identityId)
      await assertOpen(transaction, session, at)
      const hasKeys = await transaction.accountData.hasHostedKeys(identityId)
      if (hasKeys && request.deleteHostedWallets !== true)
        throw new Refusal('hosted-wallets-remain')
      const deleted = await transaction.accountData.listFiles(identityId)
      await deleteAccountData(transaction, { identityId, email, at })
      await outbox.add(
        transaction,
        accountDeletedMail(visitor.senderTo(session.organizationCode), { email, at }),
      )
      const { organizationCode } = session
      await transaction.audit.record(
        'account-deleted',
        { identityId, at, organizationCode },
        visitor,
      )
      return deleted
    })
    await Promise.all(files.map(removeFile))
    visitor.dropSession()
  }
}
