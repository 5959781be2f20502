/**
 * Operators' acts on a person. Each locks the person's row, is audited with its reason, and commits as a whole. Operators
 * cannot act on themselves, and on another operator only if they could revoke all of that operator's roles.
 */
import type { ResettableFactor } from '@portico/contracts/admin/people'
import { Refusal } from '@portico/contracts/errors'
import { includesScope, isInScope, scopeOfCodes } from '@portico/rules/operator-permissions'
import type { AuditKind } from '../../audit/audit-events.ts'
import type { Organizations } from '../../brands/brands.ts'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import {
  type collectAccount,
  deleteAccountData,
} from '../../identity/account-security/account-data.ts'
import type { IdentityRow } from '../../identity/identities.store.ts'
import { attemptsOwner } from '../../lockout/lockout.ts'
import { accountDeletedMail, dataExportedMail, securityChangedMail } from '../../mail/mails.ts'
import type { DraftMail, Outbox } from '../../mail/outbox.ts'
import type { Vault } from '../../secrets/vault.ts'
import { endSessionsOf, type OpenSession } from '../../sessions/sessions.ts'
import type { AllStores, Stores } from '../../stores.ts'
import type { ActSubject } from '../act-requests/act-requests.ts'
import type { Operator } from '../operators/operators.ts'
import { recipientsOf } from './people.store.ts'

interface ActDeps {
  readonly stores: AllStores
  readonly organizations: Pick<Organizations, 'withCode'>
  readonly vault: Vault
  readonly clock: Clock
  readonly outbox: Outbox
  readonly collect: ReturnType<typeof collectAccount>
  /** Removes a file from file storage, now or on a later retry. */
  readonly removeFile: (fileId: string) => Promise<void>
}

interface Target {
  readonly identityUuid: string
  readonly reason: string
}

interface Deletion {
  /** Typed again to prevent mistakes. */
  readonly email: string
  readonly deleteHostedWallets?: boolean | undefined
}

interface Actor {
  readonly operator: Operator
  readonly visitor: Visitor
}

const FACTOR_NAMES: Readonly<Record<ResettableFactor, string>> = {
  totp: 'the authenticator app was',
  passkeys: 'all passkeys were',
  phones: 'all phones were',
  email: 'codes by email as a second factor were',
  questions: 'the recovery questions were',
  'recovery-codes': 'the recovery codes were',
}

export function personActs(deps: ActDeps) {
  const { stores, organizations, vault, clock, outbox, collect, removeFile } = deps

  /**
   * @throws Refusal - `not-found`, or `not-permitted` for the operator's own account and for operators whose roles they
   *   could not revoke
   */
  async function assertAllowed(
    { identityRoles }: Pick<Stores, 'identityRoles'>,
    identity: IdentityRow | undefined,
    operator: Operator,
  ): Promise<IdentityRow> {
    const scope = operator.scopeOf('people.write')
    if (identity === undefined || !isInScope(scope, identity.organizationCode)) {
      throw new Refusal('not-found')
    }
    const grants = await identityRoles.listGrants(identity.id)
    const granted = scopeOfCodes(grants.map(({ organizationCode }) => organizationCode))
    if (
      identity.id === operator.id ||
      (grants.length > 0 && !includesScope(operator.scopeOf('operators.write'), granted))
    ) {
      throw new Refusal('not-permitted')
    }
    return identity
  }

  /** The person, if the operator may act on them. */
  async function findAllowed({ identityUuid }: Pick<Target, 'identityUuid'>, operator: Operator) {
    const found = await stores.identities.findById(identityUuid)
    return assertAllowed(stores, found, operator)
  }

  /** The organization that a person is moved to. */
  function findTarget(organizationCode: string, operator: Operator) {
    const organization = organizations.withCode(organizationCode)
    if (
      organization === undefined ||
      !isInScope(operator.scopeOf('people.write'), organizationCode)
    ) {
      throw new Refusal('not-found')
    }
    return organization
  }

  async function assertDeletable(
    { accountData }: Pick<Stores, 'accountData'>,
    identity: IdentityRow,
    { email, deleteHostedWallets }: Deletion,
  ): Promise<void> {
    if (email !== identity.email) throw new Refusal('email-mismatch')
    if ((await accountData.hasHostedKeys(identity.id)) && deleteHostedWallets !== true) {
      throw new Refusal('hosted-wallets-remain')
    }
  }

  /** Locks and checks the person and applies the act. If it changed something, audits it and notifies the person. */
  async function act(
    { identityUuid, reason }: Target,
    { operator, visitor }: Actor,
    {
      kind,
      details = {},
      apply,
      mail,
    }: {
      readonly kind: AuditKind
      readonly details?: Readonly<Record<string, string>>
      readonly apply: (transaction: Stores, identity: IdentityRow, at: number) => Promise<boolean>
      readonly mail?: (sent: {
        identity: IdentityRow
        provider: string | undefined
        at: number
      }) => DraftMail
    },
  ): Promise<{ changed: boolean }> {
    return stores.atomically(async (transaction) => {
      const found = await transaction.identities.findForUpdate(identityUuid)
      const identity = await assertAllowed(transaction, found, operator)
      const at = clock()
      // Read first, because the act may delete the account.
      const provider = (await transaction.providers.findManager(identity.id))?.name
      if (!(await apply(transaction, identity, at))) return { changed: false }
      if (mail !== undefined) await outbox.add(transaction, mail({ identity, provider, at }))
      await transaction.audit.record(
        kind,
        {
          identityId: identity.id,
          at,
          organizationCode: identity.organizationCode,
          operator,
          details: { ...details, reason: reason.trim() },
        },
        visitor,
      )
      return { changed: true }
    })
  }

  const changeMail =
    ({ visitor }: Actor, change: string) =>
    ({
      identity,
      provider,
      at,
    }: {
      identity: IdentityRow
      provider: string | undefined
      at: number
    }) =>
      securityChangedMail(visitor.senderTo(identity.organizationCode), {
        email: identity.email,
        provider,
        at,
        change,
      })

  /** Ends every session and pending login, and removes remembered devices. */
  async function endAll(transaction: Stores, identity: IdentityRow, at: number): Promise<void> {
    await transaction.identities.incrementCredentialVersion(identity.id)
    await transaction.passcodes.expireAll(identity.email, at)
    await endSessionsOf(transaction, [identity.id], at)
    await transaction.devices.deleteTrust(identity.id)
  }

  return {
    /** The subject of an act. Throws like the act. */
    check: async (target: Target, operator: Operator): Promise<ActSubject> =>
      subjectOf(await findAllowed(target, operator)),

    async checkMove(
      { organizationCode, ...target }: Target & { readonly organizationCode: string },
      operator: Operator,
    ): Promise<ActSubject> {
      findTarget(organizationCode, operator)
      const { organizationCodes, ...subject } = subjectOf(await findAllowed(target, operator))
      return { ...subject, organizationCodes: [...organizationCodes, organizationCode] }
    },

    async checkDeletion(target: Target & Deletion, operator: Operator): Promise<ActSubject> {
      const identity = await findAllowed(target, operator)
      await assertDeletable(stores, identity, target)
      return subjectOf(identity)
    },

    unlock: (target: Target, actor: Actor) =>
      act(target, actor, {
        kind: 'person-unlocked',
        apply: async (transaction, identity, at) => {
          const wasLocked = await transaction.people.unlock(identity.id, at)
          const owner = attemptsOwner(vault, identity)
          const hadAttempts = await transaction.attempts.delete(owner, at)
          const hadWrongCodes = await transaction.wrongCodes.delete(identity.id)
          const wasInDirectory = await transaction.directoryUsers.deleteLocks(identity.id)
          return wasLocked || hadAttempts || hadWrongCodes || wasInDirectory
        },
        mail: changeMail(actor, 'our support team unlocked your account.'),
      }),

    lock: (target: Target, actor: Actor) =>
      act(target, actor, {
        kind: 'person-locked',
        apply: async (transaction, identity, at) => {
          if (identity.lockedAt !== null) return false
          await transaction.identities.updateLocked(identity.id, at)
          await endAll(transaction, identity, at)
          return true
        },
      }),

    endSessions: (target: Target, actor: Actor) =>
      act(target, actor, {
        kind: 'person-sessions-ended',
        apply: async (transaction, identity, at) => {
          await endAll(transaction, identity, at)
          return true
        },
        mail: changeMail(actor, 'our support team ended your sessions on all devices.'),
      }),

    resetFactor: (
      { factor, ...target }: Target & { readonly factor: ResettableFactor },
      actor: Actor,
    ) =>
      act(target, actor, {
        kind: 'person-factor-reset',
        details: { factor },
        apply: async (transaction, identity, at) => {
          if (!(await removeFactor(transaction, identity.id, factor))) return false
          await endAll(transaction, identity, at)
          return true
        },
        mail: changeMail(actor, `${FACTOR_NAMES[factor]} removed by our support team.`),
      }),

    /** @throws Refusal - `not-found`, also for a target organization outside the operator's scope */
    changeOrganization: (
      { organizationCode, ...target }: Target & { readonly organizationCode: string },
      actor: Actor,
    ) => {
      const organization = findTarget(organizationCode, actor.operator)
      return act(target, actor, {
        kind: 'person-organization-changed',
        details: { organization: organizationCode },
        apply: async (transaction, { id }, at) =>
          transaction.people.updateOrganization(id, organizationCode, at),
        mail: ({ identity, provider, at }) =>
          securityChangedMail(actor.visitor.senderTo(organizationCode), {
            email: identity.email,
            provider,
            at,
            change: `your account was moved to ${organization.companyInfo.name}.`,
          }),
      })
    },

    resendMessage: (
      { messageUuid, ...target }: Target & { readonly messageUuid: string },
      actor: Actor,
    ) =>
      act(target, actor, {
        kind: 'person-message-resent',
        details: { message: messageUuid },
        apply: async (transaction, { id, email }, at) => {
          const recipients = recipientsOf(email, await transaction.identities.listAliases(id))
          return transaction.messages.updateDue(messageUuid, recipients, at)
        },
      }),

    async export(target: Target, actor: Actor) {
      let exported: IdentityRow | undefined
      await act(target, actor, {
        kind: 'person-exported',
        apply: async (_transaction, identity) => {
          exported = identity
          return true
        },
        mail: ({ identity, provider, at }) =>
          dataExportedMail(actor.visitor.senderTo(identity.organizationCode), {
            email: identity.email,
            provider,
            at,
          }),
      })
      if (exported === undefined) throw new Refusal('not-found')
      const aliases = await stores.identities.listAliases(exported.id)
      const scope = actor.operator.scopeOf('people.write')
      return collect(standInSession(exported, aliases), clock(), scope)
    },

    async delete(target: Target & Deletion, actor: Actor) {
      let files: readonly string[] = []
      const result = await act(target, actor, {
        kind: 'person-deleted',
        apply: async (transaction, identity, at) => {
          const { accountData, identities } = transaction
          const { id: identityId, email } = identity
          await assertDeletable(transaction, identity, target)
          await identities.incrementCredentialVersion(identityId)
          files = await accountData.listFiles(identityId)
          await deleteAccountData(transaction, { identityId, email, at })
          return true
        },
        mail: ({ identity, at }) =>
          accountDeletedMail(actor.visitor.senderTo(identity.organizationCode), {
            email: identity.email,
            at,
          }),
      })
      await Promise.all(files.map(removeFile))
      return result
    },
  }
}

const subjectOf = ({ id, email, organizationCode }: IdentityRow): ActSubject => ({
  name: email,
  organizationCodes: [organizationCode],
  identityUuid: id,
})

async function removeFactor(
  { identities, people, totp }: Stores,
  id: string,
  factor: ResettableFactor,
): Promise<boolean> {
  switch (factor) {
    case 'totp':
      await identities.deleteAliases(id, 'TOTP')
      return totp.delete(id)
    case 'passkeys':
      return people.deletePasskeys(id)
    case 'phones':
      return (await identities.deleteAliases(id, 'Phone')) > 0
    case 'email':
      return identities.updateEmailFactor(id, null)
    case 'questions':
      return people.deleteQuestions(id)
    case 'recovery-codes':
      return people.deleteRecoveryCodes(id)
  }
}

/** A stand-in session for code that collects a user's own data. It cannot be used. */
function standInSession(
  identity: IdentityRow,
  aliases: Awaited<ReturnType<Stores['identities']['listAliases']>>,
): OpenSession {
  return {
    id: '',
    identityId: identity.id,
    email: identity.email,
    emailVerifiedAt: identity.emailVerifiedAt,
    organizationCode: identity.organizationCode,
    loginOrganizationCode: identity.organizationCode,
    profileType: identity.profileType,
    passwordExpired: identity.passwordExpiredAt !== null,
    hasPassword: identity.passwordHash !== null,
    emailFactor: identity.emailFactorAt !== null,
    aliases: aliases.filter(({ verifiedAt }) => verifiedAt !== null),
    method: 'password',
    secondMethod: undefined,
    createdAt: 0,
    confirmedAt: 0,
    confirmedBy: undefined,
    emailChange: { addedAt: identity.emailChangedAt, addedIn: identity.emailChangedIn },
    updatedAt: identity.updatedAt,
    expiresAt: 0,
    chosen: undefined,
    wallet: { locked: true, usedAt: 0 },
    operator: undefined,
  }
}
