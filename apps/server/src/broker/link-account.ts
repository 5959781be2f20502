import type { UserType } from '@portico/contracts/broker'
import { Refusal } from '@portico/contracts/errors'
import type { Visitor } from '../http/visitor.ts'
import { endProviderAccess } from '../identity/identity.ts'
import { withSharedDevice } from '../lockout/shared-device.ts'
import { constantTimeEqual, sha256 } from '../secrets/hashes.ts'
import { assertUsable } from '../secrets/passcode.ts'
import type { Stores } from '../stores.ts'
import {
  type Account,
  type BrokerDeps,
  connectDirectoryUser,
  hasSecondStep,
  linkCodeMac,
  mailLinkCode,
  startProviderSession,
} from './complete-login.ts'
import { cookieNameOf } from './login-state.ts'
import type { ProviderLoginRow } from './provider-logins.store.ts'
import type { ProviderRow } from './providers.store.ts'
import { hasSameIssuer, issuerOf } from './providers.ts'

/**
 * Links an account to a person at an identity provider once the account's owner has entered the mailed passcode, and logs
 * in. Only possible in the browser that began the login.
 */
export function linkAccount(deps: BrokerDeps) {
  const { stores, vault, clock, lockoutLink } = deps

  /** This browser's login that is waiting for the passcode. */
  async function getWaiting(
    userType: UserType,
    state: string,
    visitor: Visitor,
  ): Promise<WaitingLink> {
    const stateHash = sha256(state)
    const browserSecret = visitor.providerLoginCookie(cookieNameOf(stateHash)) ?? ''
    const login = await stores.providerLogins.findLink(stateHash, sha256(browserSecret))
    if (login === undefined) throw new Refusal('code-expired')
    const provider = await stores.providers.findEnabledById(login.providerId)
    if (provider?.userType !== userType) throw new Refusal('user-type-refused')
    if (!visitor.serves(provider.organizationCode)) throw new Refusal('code-expired')
    visitor.useOrganization(provider.organizationCode)
    if (issuerOf(provider) !== login.issuer) throw new Refusal('code-expired')
    assertUsable({ redeemedAt: login.redeemedAt, expiresAt: login.expiresAt }, clock())
    const { email, linkIdentityId, linkSubject } = login
    if (email === null || linkIdentityId === null || linkSubject === null) {
      throw new Refusal('code-expired')
    }
    return { ...login, provider, email, linkIdentityId, linkSubject }
  }

  return {
    /** Mails another passcode. */
    async sendCode(userType: UserType, state: string, visitor: Visitor): Promise<void> {
      const login = await getWaiting(userType, state, visitor)
      const account = await stores.identities.findById(login.linkIdentityId)
      if (account === undefined || !(await isLinkable(stores, account, login))) {
        throw new Refusal('code-expired')
      }
      const { provider, stateHash } = login
      await mailLinkCode(deps, { stateHash, provider, account, visitor })
    },

    async connect(
      userType: UserType,
      { state, token }: { state: string; token: string },
      visitor: Visitor,
    ): Promise<{ jwt: string }> {
      const at = clock()
      const login = await getWaiting(userType, state, visitor)
      const { stateHash, email, provider, providerId, linkIdentityId, linkSubject } = login
      const key = await lockoutLink.countAttempt(email, visitor)
      const before = await stores.identities.findById(linkIdentityId)
      if (before === undefined) throw new Refusal('code-expired')
      const mac = linkCodeMac(vault, { stateHash, account: before, code: token })
      if (!constantTimeEqual(login.linkCodeMac ?? '', mac)) {
        await stores.audit.record('passcode-refused', { identityId: linkIdentityId, at }, visitor)
        throw new Refusal('code-wrong')
      }
      const linking = stores.atomically(async (transaction) => {
        const account = await transaction.identities.findForUpdate(linkIdentityId)
        if (!(await transaction.providerLogins.redeemLink(stateHash, at))) {
          throw new Refusal('code-used')
        }
        if (
          account === undefined ||
          account.credentialVersion !== before.credentialVersion ||
          !(await isLinkable(transaction, account, login))
        ) {
          throw new Refusal('code-expired')
        }
        const { directoryUsers, providers } = transaction
        const subject = { providerId, subject: linkSubject, identityId: account.id }
        const isTaken = (await providers.findSubject(providerId, linkSubject)) !== undefined
        const others = await providers.deleteCurrentSubjects(providerId, account.id)
        const managedAt = others.find((other) => other.managedAt !== null)?.managedAt ?? null
        const isLinked =
          !isTaken &&
          ((await providers.renewSubject(subject)) ||
            (await providers.insertSubject({ ...subject, managedAt, createdAt: at })))
        if (!isLinked) throw new Refusal('code-used')
        // The directory's user of a removed person must not lock the account, nor hide the user of the proved one.
        if (others.length > 0) await directoryUsers.disconnect(account.id, providerId)
        const person = { subject: linkSubject, email, identityId: account.id }
        const found = await directoryUsers.findByLogin(providerId, person)
        const isOfOther = others.some((other) => other.subject === found?.externalId)
        const directoryUser = isOfOther ? undefined : found
        if (
          !(await connectDirectoryUser(transaction, directoryUser, account, at)) ||
          (await directoryUsers.hasLeft(account.id))
        ) {
          throw new Refusal('code-expired')
        }
        await transaction.identities.updateEmailVerified(account.id, email, at)
        if (others.length > 0) {
          const change = `another person at ${provider.name} could log in to your account. They can no longer do so, and their sessions have ended.`
          await endProviderAccess(transaction, {
            account,
            provider: provider.name,
            change,
            visitor,
            at,
            outbox: deps.outbox,
          })
        }
        await transaction.attempts.refund(key)
        await transaction.audit.record('provider-linked', { identityId: account.id, at }, visitor)
        return startProviderSession(deps, transaction, {
          login,
          account,
          proof: login.wrapped,
          visitor,
        })
      })
      const jwt = await withSharedDevice(stores, { visitor, at }, linking)
      visitor.dropProviderLogin(cookieNameOf(stateHash))
      return { jwt }
    },
  }
}

/** A login that waits for the passcode. */
interface WaitingLink extends ProviderLoginRow {
  readonly provider: ProviderRow
  readonly email: string
  readonly linkIdentityId: string
  readonly linkSubject: string
}

/** Whether the account may still be linked: it, its provider or its protection may have changed since the login. */
async function isLinkable(
  stores: Pick<Stores, 'identities' | 'passkeys' | 'providers'>,
  account: Account,
  login: WaitingLink,
): Promise<boolean> {
  const manager = await stores.providers.findManager(account.id)
  return (
    account.email === login.email &&
    account.lockedAt === null &&
    account.organizationCode === login.provider.organizationCode &&
    (manager === undefined || manager.id === login.providerId) &&
    !(await hasSecondStep(stores, account)) &&
    (await hasSameIssuer(stores, login))
  )
}
