/**
 * The callback: verifies the identity provider's response and starts a session. The state is consumed first, and only in the
 * browser and at the provider where the login began, so a response counts once.
 */

import { Refusal } from '@portico/contracts/errors'
import {
  type ProviderAdmission,
  type ProviderRefusal,
  profileTypeOf,
  providerAdmission,
} from '@portico/rules/provider-admission'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import type { RequestSecondStep } from '../identity/identity.ts'
import type { LockoutLink } from '../lockout/lockout-link.ts'
import { withSharedDevice } from '../lockout/shared-device.ts'
import { accountLinkMail } from '../mail/mails.ts'
import type { Outbox } from '../mail/outbox.ts'
import { sha256 } from '../secrets/hashes.ts'
import { newPasscode } from '../secrets/passcode.ts'
import type { Vault } from '../secrets/vault.ts'
import { endSessionsOf, type Proof } from '../sessions/sessions.ts'
import type { Stores, TransactionalStores } from '../stores.ts'
import type { Tokens } from '../tokens/session-tokens.ts'
import {
  type PersonNames,
  type ProviderAnswer,
  ProviderError,
  type ProviderErrorCode,
} from './identity-provider.ts'
import { cookieNameOf } from './login-state.ts'
import type { ProviderLoginRow } from './provider-logins.store.ts'
import type { ProviderRow } from './providers.store.ts'
import { hasSameIssuer, issuerOf, type OpenProvider, returnUrlOf } from './providers.ts'

export type BrokerStores =
  | 'attempts'
  | 'audit'
  | 'devices'
  | 'directoryUsers'
  | 'factorLogins'
  | 'identities'
  | 'messages'
  | 'passkeys'
  | 'providerLogins'
  | 'providers'
  | 'recoveryCodes'
  | 'sessions'
  | 'telemetry'

/** An account, as the store returns it. */
export type Account = NonNullable<Awaited<ReturnType<Stores['identities']['findById']>>>

export interface BrokerDeps {
  readonly stores: TransactionalStores<BrokerStores>
  readonly vault: Vault
  readonly clock: Clock
  readonly log: Logger
  readonly outbox: Outbox
  readonly lockoutLink: LockoutLink
  readonly tokens: Tokens
  readonly openProvider: OpenProvider
  readonly requestSecondStep: RequestSecondStep
  /** Starts the session of a user who has proved every required factor. Returns its token. */
  readonly startSession: (
    stores: Pick<Stores, BrokerStores>,
    identity: Account,
    visitor: Visitor,
    proof: Proof,
  ) => Promise<string>
}

/** What follows the callback. */
export type CompletedLogin =
  | { readonly kind: 'signedIn'; readonly provider: ProviderRow }
  /** The account's owner must enter the mailed passcode. */
  | { readonly kind: 'linkable'; readonly provider: ProviderRow }
  | {
      readonly kind: 'refused'
      readonly reason: ProviderRefusal | ProviderErrorCode | 'expired' | 'too-many-codes'
      readonly provider: ProviderRow | undefined
      /** The address that was entered on the login page. */
      readonly email?: string | undefined
    }

/** Said to operators: nothing else shows that the provider's configuration refuses the person. */
const GROUPS_OMITTED =
  'The provider sent no groups, because the person is in too many of them. Let it send only the groups that are assigned to the application, or connect its directory'

/** A concurrent login of the same person, or a directory change, committed first. This login is decided again. */
class ConcurrentChange extends Error {}

/** The provider's response, as the browser delivers it. */
interface ProviderResponse {
  readonly userType: string
  readonly providerId: string
  readonly state: string | undefined
  readonly search: string
  /** The reference shown on the page, by which support finds the log entry. */
  readonly requestId: string
}

export function completeProviderLogin(deps: BrokerDeps) {
  const { stores, vault, clock, log, openProvider } = deps

  return async (response: ProviderResponse, visitor: Visitor): Promise<CompletedLogin> => {
    const provider = await stores.providers.findEnabledById(response.providerId)
    if (
      provider === undefined ||
      provider.userType !== response.userType ||
      !visitor.serves(provider.organizationCode)
    ) {
      return { kind: 'refused', reason: 'expired', provider: undefined }
    }
    visitor.useOrganization(provider.organizationCode)
    const refused = async (
      reason: Extract<CompletedLogin, { kind: 'refused' }>['reason'],
      details: Readonly<Record<string, unknown>> = {},
    ): Promise<Extract<CompletedLogin, { kind: 'refused' }>> => {
      const explained =
        reason === 'groups-omitted' ? { reason, explanation: GROUPS_OMITTED } : { reason }
      log.warn(
        {
          reqId: response.requestId,
          provider: provider.id,
          organization: provider.organizationCode,
          ...explained,
          ...details,
        },
        'a login at an identity provider was refused',
      )
      const event = { identityId: null, at: clock(), details: explained }
      await stores.audit.record(
        'provider-refused',
        { ...event, organizationCode: provider.organizationCode },
        visitor,
      )
      return { kind: 'refused', reason, provider }
    }

    const login = await consume(response, visitor)
    if (login?.issuer !== issuerOf(provider)) return refused('expired')
    const answer = await openProvider(provider, visitor)
      .complete({
        search: response.search,
        state: response.state ?? '',
        returnUrl: returnUrlOf(provider, visitor),
        checks: vault.unwrap('provider login', login.wrapped),
      })
      .catch((error: unknown) => {
        if (error instanceof ProviderError) return error
        throw error
      })
    if (answer instanceof ProviderError)
      return refused(answer.code, { err: answer, mismatch: answer.data })

    const verified = { provider, login, answer, visitor }
    const decide = () => stores.atomically((transaction) => admit(transaction, verified))
    const decided = decide().catch((error: unknown) => {
      if (error instanceof ConcurrentChange) return decide()
      throw error
    })
    const admission = await withSharedDevice(stores, { visitor, at: clock() }, decided)
    switch (admission.kind) {
      case 'refused':
        return { ...(await refused(admission.reason)), email: login.email ?? undefined }
      case 'linkable':
        try {
          await offerLink({ provider, login, answer, email: admission.email, visitor })
        } catch (error) {
          if (!(error instanceof Refusal && error.code === 'too-many-requests')) throw error
          return refused('too-many-codes')
        }
        return { kind: 'linkable', provider }
      case 'provisioned':
      case 'signedIn':
        return { kind: 'signedIn', provider }
    }
  }

  async function consume(
    { state = '', providerId }: ProviderResponse,
    visitor: Visitor,
  ): Promise<ProviderLoginRow | undefined> {
    const stateHash = sha256(state)
    const browserSecret = visitor.providerLoginCookie(cookieNameOf(stateHash))
    if (browserSecret === undefined) return undefined
    const cookieHash = sha256(browserSecret)
    return stores.providerLogins.consume({ stateHash, providerId, cookieHash, at: clock() })
  }

  /** Decides and, if the person is admitted, starts the session or mails the passcode. */
  async function admit(
    transaction: Pick<Stores, BrokerStores>,
    {
      provider,
      login,
      answer: { person, names, sessionProof },
      visitor,
    }: {
      readonly provider: ProviderRow
      readonly login: ProviderLoginRow
      readonly answer: ProviderAnswer
      readonly visitor: Visitor
    },
  ): Promise<ProviderAdmission | { readonly kind: 'refused'; readonly reason: 'expired' }> {
    const { directoryUsers, identities, providers } = transaction
    const { email = '', subject, emailVerified } = person
    const subjectRow = await providers.findSubject(provider.id, subject)
    const known = subjectRow && (await identities.findForUpdate(subjectRow.identityId))
    // While this login waited for the lock, the account may have been disconnected, or another person may have proved the mailbox.
    if (
      known !== undefined &&
      (await providers.findSubject(provider.id, subject))?.identityId !== known.id
    ) {
      throw new ConcurrentChange()
    }
    // The issuer was changed while the provider was responding.
    if (known === undefined && !(await hasSameIssuer(transaction, login))) {
      return { kind: 'refused', reason: 'expired' }
    }
    const sameAddress = known === undefined ? await identities.findByEmail(email) : undefined
    // The account may belong to this person, created a moment ago.
    if (sameAddress !== undefined && (await providers.findSubject(provider.id, subject))) {
      throw new ConcurrentChange()
    }
    const isDomainVerified = await providers.hasVerifiedDomain(
      provider.id,
      email.slice(email.indexOf('@') + 1),
    )
    const directoryUser = await directoryUsers.findByLogin(provider.id, {
      subject,
      email: isDomainVerified && emailVerified !== false ? email : undefined,
      identityId: known?.id,
    })
    const admission = providerAdmission({
      person,
      provider: {
        userType: provider.userType,
        requiredGroup: provider.requiredGroup ?? undefined,
      },
      expectedEmail: login.email ?? undefined,
      isDomainVerified,
      directory: directoryUser && (await directoryPerson(transaction, provider, directoryUser)),
      known: known && (await accountOf(transaction, known, provider)),
      sameAddress: sameAddress && {
        ...(await accountOf(transaction, sameAddress, provider)),
        ofOrganization: sameAddress.organizationCode === provider.organizationCode,
        secondStep: await hasSecondStep(transaction, sameAddress),
        managedElsewhere: ![provider.id, undefined].includes(
          (await providers.findManager(sameAddress.id))?.id,
        ),
      },
    })
    const proof = vault.wrap('provider login', sessionProof ?? '')
    if (admission.kind === 'refused' && admission.reason === 'locked' && known !== undefined) {
      const event = { identityId: known.id, at: clock(), details: { method: 'provider' } }
      await transaction.audit.record('sign-in-locked', event, visitor)
    }
    const account =
      admission.kind === 'provisioned'
        ? await provision(transaction, { provider, subject, email: admission.email, visitor })
        : admission.kind === 'signedIn'
          ? known
          : undefined
    if (account !== undefined) {
      if (!(await connectDirectoryUser(transaction, directoryUser, account, clock()))) {
        throw new ConcurrentChange()
      }
      await updateNames(transaction, {
        subject: { providerId: provider.id, subject },
        stored: subjectRow,
        // A directory that sends names is the only source of their changes.
        names: hasNames(directoryUser) ? undefined : names,
      })
      await logIn(transaction, { provider, login, account, proof, visitor })
    }
    return admission
  }

  /**
   * Starts the session, or requests the second step of an account that the provider does not manage: its administrators could
   * otherwise enter the account of a person who has protected it.
   */
  async function logIn(
    transaction: Pick<Stores, BrokerStores>,
    {
      provider,
      ...session
    }: { readonly provider: ProviderRow } & Parameters<typeof startProviderSession>[2],
  ): Promise<void> {
    const { account, login, proof, visitor } = session
    const manager = await transaction.providers.findManager(account.id)
    const secondStep =
      manager?.id === provider.id
        ? undefined
        : await deps.requestSecondStep(transaction, account, visitor, 'provider')
    if (secondStep === undefined) {
      await startProviderSession(deps, transaction, session)
      return
    }
    const waiting = { factorLoginId: secondStep.loginUuid, wrapped: proof }
    await transaction.providerLogins.updateFactorLogin(login.stateHash, waiting)
  }

  /** Mails the passcode that connects an existing account. @throws Refusal - `too-many-requests` */
  async function offerLink({
    provider,
    login,
    answer: { person, sessionProof },
    email,
    visitor,
  }: {
    readonly provider: ProviderRow
    readonly login: ProviderLoginRow
    readonly answer: ProviderAnswer
    readonly email: string
    readonly visitor: Visitor
  }): Promise<void> {
    const account = await stores.identities.findByEmail(email)
    if (account === undefined) return
    await mailLinkCode(deps, {
      stateHash: login.stateHash,
      provider,
      account,
      link: {
        email,
        wrapped: vault.wrap('provider login', sessionProof ?? ''),
        linkIdentityId: account.id,
        linkSubject: person.subject,
      },
      visitor,
    })
  }

  /** Creates the account of a person who logs in for the first time. */
  async function provision(
    { audit, identities, providers }: Pick<Stores, BrokerStores>,
    {
      provider,
      subject,
      email,
      visitor,
    }: { provider: ProviderRow; subject: string; email: string; visitor: Visitor },
  ): Promise<Account> {
    const at = clock()
    const { organizationCode, userType } = provider
    const profileType = profileTypeOf(userType)
    const added = await identities.insert({ email, organizationCode, profileType, at })
    const identityId = added?.id ?? ''
    const isNew =
      added !== undefined &&
      (await providers.insertSubject({
        providerId: provider.id,
        subject,
        identityId,
        managedAt: at,
        createdAt: at,
      }))
    if (!isNew) throw new ConcurrentChange()
    await audit.record('registered', { identityId, at, organizationCode }, visitor)
    return added
  }
}

/** Starts the login's session and stores what is needed to end it at the provider. Returns its token. */
export async function startProviderSession(
  { startSession, tokens }: Pick<BrokerDeps, 'startSession' | 'tokens'>,
  transaction: Pick<Stores, BrokerStores>,
  {
    login,
    account,
    proof,
    visitor,
  }: {
    readonly login: ProviderLoginRow
    readonly account: Account
    /** Wrapped. */
    readonly proof: string
    readonly visitor: Visitor
  },
): Promise<string> {
  const { telemetryTrackingId } = login
  if (telemetryTrackingId !== null) {
    await transaction.telemetry.updateIdentity(telemetryTrackingId, account.id)
  }
  const jwt = await startSession(transaction, account, visitor, { method: 'provider' })
  const sessionId = tokens.read('session', jwt)?.sid
  if (sessionId === undefined) throw new Error('The token of the new session has no session')
  await transaction.providerLogins.updateSession(login.stateHash, { sessionId, wrapped: proof })
  return jwt
}

/**
 * Mails the passcode that connects an account. It replaces an earlier one.
 *
 * @throws Refusal - `too-many-requests`
 */
export async function mailLinkCode(
  { stores, vault, clock, outbox, lockoutLink }: BrokerDeps,
  {
    stateHash,
    provider,
    account,
    link = {},
    visitor,
  }: {
    readonly stateHash: string
    readonly provider: Pick<ProviderRow, 'name'>
    readonly account: Pick<Account, 'id' | 'email' | 'organizationCode' | 'credentialVersion'>
    /** What a login stores when it offers to link an account. */
    readonly link?: Omit<Parameters<Stores['providerLogins']['updateLink']>[1], 'linkCodeMac'>
    readonly visitor: Visitor
  },
): Promise<void> {
  const { id: identityId, email, organizationCode } = account
  await lockoutLink.limitSends(email, visitor)
  const code = newPasscode()
  await stores.atomically(async (transaction) => {
    await transaction.providerLogins.updateLink(stateHash, {
      ...link,
      linkCodeMac: linkCodeMac(vault, { stateHash, account, code }),
    })
    const mail = accountLinkMail(visitor.senderTo(organizationCode), {
      email,
      code,
      provider: provider.name,
    })
    await outbox.add(transaction, mail)
    await transaction.audit.record('passcode-sent', { identityId, at: clock() }, visitor)
  })
}

/** The keyed hash of a mailed passcode, which a changed password, a changed factor or the end of the sessions invalidates. */
export function linkCodeMac(
  vault: Vault,
  {
    stateHash,
    account: { credentialVersion },
    code,
  }: {
    readonly stateHash: string
    readonly account: Pick<Account, 'credentialVersion'>
    readonly code: string
  },
): string {
  return vault.mac('provider link', `${stateHash} ${credentialVersion} ${code}`)
}

/**
 * Links the directory's user to the account that logs in. Returns `false` if the directory changed the user at the same
 * moment.
 */
export async function connectDirectoryUser(
  stores: Pick<Stores, 'audit' | 'directoryUsers' | 'sessions'>,
  directoryUser: DirectoryUser | undefined,
  { id }: Pick<Account, 'id'>,
  at: number,
): Promise<boolean> {
  if (directoryUser === undefined || directoryUser.identityId !== null) return true
  if (!(await stores.directoryUsers.connect(directoryUser, id))) return false
  // The directory may have deleted and re-added the user. Earlier sessions must not become valid again.
  await endSessionsOf(stores, [id], at)
  return true
}

/** Stores the person's names from the provider if they have changed. */
async function updateNames(
  { providers }: Pick<Stores, 'providers'>,
  {
    subject,
    stored = NO_NAMES,
    names,
  }: {
    readonly subject: { readonly providerId: string; readonly subject: string }
    readonly stored: StoredNames | undefined
    readonly names: PersonNames | undefined
  },
): Promise<void> {
  const given: StoredNames = {
    givenName: names?.givenName ?? null,
    familyName: names?.familyName ?? null,
  }
  if (given.givenName === stored.givenName && given.familyName === stored.familyName) return
  await providers.updateNames(subject, given)
}

type StoredNames = Parameters<Stores['providers']['updateNames']>[1]

const NO_NAMES: StoredNames = { givenName: null, familyName: null }

/** Whether the directory has sent the person's names. */
function hasNames(user: DirectoryUser | undefined): boolean {
  return user !== undefined && (user.givenName !== null || user.familyName !== null)
}

type DirectoryUser = NonNullable<Awaited<ReturnType<Stores['directoryUsers']['findByLogin']>>>

async function directoryPerson(
  { directoryUsers }: Pick<Stores, 'directoryUsers'>,
  { requiredGroup }: ProviderRow,
  user: DirectoryUser,
) {
  const isMember = requiredGroup !== null && (await directoryUsers.isInGroup(user, requiredGroup))
  const group = user.leftGroupAt === null ? (isMember ? 'member' : 'none') : 'left'
  return { active: user.deactivatedAt === null, group } as const
}

/** An account that has left another provider's directory is locked too. */
async function accountOf(
  { directoryUsers }: Pick<Stores, 'directoryUsers'>,
  account: Account,
  { id }: ProviderRow,
) {
  const { profileType, lockedAt } = account
  return {
    profileType,
    locked: lockedAt !== null || (await directoryUsers.hasLeft(account.id, id)),
  }
}

/** Whether the account requires more than a passcode. */
export async function hasSecondStep(
  { identities, passkeys }: Pick<Stores, 'identities' | 'passkeys'>,
  { id }: Account,
): Promise<boolean> {
  const aliases = await identities.listAliases(id)
  const isProtected = aliases.some(
    ({ type, verifiedAt }) => type !== 'Email' && verifiedAt !== null,
  )
  return isProtected || (await passkeys.list(id)).length > 0
}
