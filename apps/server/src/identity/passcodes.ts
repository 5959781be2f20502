/**
 * One-time passcodes by e-mail. A request gets the same response, in the same steps, for every address; only the mail
 * differs. A code is consumed once, by one statement, and attempts are counted across all codes.
 */
import { randomUUID } from 'node:crypto'
import { Refusal } from '@portico/contracts/errors'
import type { LoginResponse } from '@portico/contracts/identity'
import { INVITATION_INTERVAL_MS, PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import { auditedAddress } from '../lockout/lockout.ts'
import type { LockoutLink } from '../lockout/lockout-link.ts'
import { withSharedDevice } from '../lockout/shared-device.ts'
import { invitationMail, passcodeMail, providerLoginMail } from '../mail/mails.ts'
import type { Outbox } from '../mail/outbox.ts'
import { constantTimeEqual } from '../secrets/hashes.ts'
import { assertUsable, newPasscode } from '../secrets/passcode.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Stores, TransactionalStores } from '../stores.ts'
import type { AdmissionStores, Admit } from './admission.ts'
import { endProviderAccess } from './end-provider-access.ts'
import type { IdentityRow } from './identities.store.ts'

export interface PasscodeDeps {
  readonly stores: TransactionalStores<
    | AdmissionStores
    | 'attempts'
    | 'counters'
    | 'inquiries'
    | 'lockoutLinks'
    | 'passcodes'
    | 'registrations'
    | 'telemetry'
  >
  readonly vault: Vault
  readonly clock: Clock
  readonly outbox: Outbox
  readonly admit: Admit
  readonly lockoutLink: LockoutLink
}

/**
 * Sends a passcode to an address that has an account, is registering or was referred by a partner. The owner of an account
 * managed by an identity provider is told to log in there instead. Any other address is invited to register, once a day. If the
 * organization's login has moved, no address gets mail: the page that could redeem the code is left.
 */
export function sendPasscode({ stores, vault, clock, outbox, lockoutLink }: PasscodeDeps) {
  return async (
    { email, telemetryTrackingId }: { email: string; telemetryTrackingId?: string | undefined },
    visitor: Visitor,
  ): Promise<{ uuid: string; redirect?: string }> => {
    const at = clock()
    const { name } = await lockoutLink.limitSends(email, visitor)
    const { loginMovedTo } = visitor.organization.behaviors
    if (loginMovedTo !== undefined) return { uuid: randomUUID(), redirect: loginMovedTo }

    // Every address takes the same steps, so that timing does not reveal whether it has an account.
    const identity = await stores.identities.findByEmail(email)
    const registration = await stores.registrations.findOpen(email, at)
    const inquiries = await stores.inquiries.listOrganizations(email, at)
    const manager = await stores.providers.findManager(identity?.id ?? '')
    const isExpected = identity !== undefined || registration !== undefined || inquiries.length > 0
    const counterKey = `${isExpected ? 'expected' : 'invitation'} ${name}`

    const uuid = randomUUID()
    const code = newPasscode()
    const sender = identity ? visitor.senderTo(identity.organizationCode) : visitor.sender
    const mail = !isExpected
      ? invitationMail(visitor.sender, { email })
      : manager === undefined
        ? passcodeMail(sender, {
            email,
            code,
            purpose: identity === undefined ? 'registration' : 'login',
          })
        : providerLoginMail(sender, { email, provider: manager })
    const isUsable = isExpected && manager === undefined

    await stores.atomically(async (transaction) => {
      // In the mail's transaction, so that an invitation that was not stored does not count.
      const today = await transaction.counters.increment(counterKey, at, INVITATION_INTERVAL_MS)
      await transaction.passcodes.insert({
        id: uuid,
        email,
        codeMac: vault.mac('passcode', isUsable ? `${uuid} ${code}` : randomUUID()),
        organizationCode: visitor.organization.orgCode,
        at,
        expiresAt: at + PASSCODE_LIFETIME_MS,
        telemetrySessionUuid: telemetryTrackingId,
      })
      await outbox.add(transaction, mail, { dropped: !isExpected && today.count > 1 })
      await transaction.audit.record(
        'passcode-sent',
        {
          identityId: identity?.id ?? null,
          at,
          details: identity === undefined ? { address: auditedAddress(vault, email) } : {},
        },
        visitor,
      )
    })
    return { uuid }
  }
}

/** Exchanges a passcode for a session, and creates the identity if the address is registering. */
export function redeemPasscode({ stores, vault, clock, admit, outbox, lockoutLink }: PasscodeDeps) {
  return async (
    { loginUuid, token }: { loginUuid: string; token: string },
    visitor: Visitor,
  ): Promise<LoginResponse> => {
    const at = clock()
    const passcode = await stores.passcodes.findById(loginUuid)
    if (passcode === undefined) throw new Refusal('code-wrong')
    assertUsable(passcode, at)

    const key = await lockoutLink.countAttempt(passcode.email, visitor)
    if (!constantTimeEqual(passcode.codeMac, vault.mac('passcode', `${loginUuid} ${token}`))) {
      // The owner sees failed attempts among the account's security events.
      const address = auditedAddress(vault, passcode.email)
      const identity = await stores.identities.findByEmail(passcode.email)
      await stores.audit.record(
        'passcode-refused',
        {
          identityId: identity?.id ?? null,
          at,
          details: identity === undefined ? { address } : {},
        },
        visitor,
      )
      const sent = { email: passcode.email, at, except: loginUuid }
      const other = (await stores.passcodes.listOthers(sent)).find(({ id, codeMac }) =>
        constantTimeEqual(codeMac, vault.mac('passcode', `${id} ${token}`)),
      )
      // The other code is consumed, because the distinct response confirms that it was correct.
      if (other === undefined || !(await stores.passcodes.consume(other.id, at))) {
        throw new Refusal('code-wrong')
      }
      // A newer code is that of another page, such as another lender's in another tab: it is not wrong, but not for this page.
      const isNewer = other.expiresAt > passcode.expiresAt
      throw new Refusal(isNewer ? 'code-of-other-page' : 'code-superseded')
    }

    const login = stores.atomically(async (transaction) => {
      const known = await transaction.identities.findByEmail(passcode.email)
      // The identity is locked before everything else, in this order in all transactions. Setting a password expires codes.
      const locked =
        (known && (await transaction.identities.findForUpdate(known.id))) ??
        (await createIdentity(transaction, passcode, visitor, at))
      if (!(await transaction.passcodes.consume(loginUuid, at))) throw new Refusal('code-used')
      await transaction.attempts.refund(key)
      const proven = { email: passcode.email, visitor, at, outbox }
      const identity = await proveMailbox(transaction, locked, proven)
      if (passcode.telemetrySessionUuid !== null) {
        await transaction.telemetry.updateIdentity(passcode.telemetrySessionUuid, identity.id)
      }
      return admit(transaction, identity, visitor, 'passcode')
    })
    return withSharedDevice(stores, { visitor, at }, login)
  }
}

/** Creates the identity of a user who has just verified the address. If another transaction did so meanwhile, locks that one. */
async function createIdentity(
  stores: Pick<Stores, 'audit' | 'identities'>,
  passcode: { readonly email: string; readonly organizationCode: string },
  visitor: Visitor,
  at: number,
): Promise<IdentityRow> {
  const organizationCode = passcode.organizationCode
  const added = await stores.identities.insert({ email: passcode.email, organizationCode, at })
  if (added) {
    await stores.audit.record('registered', { identityId: added.id, at, organizationCode }, visitor)
    return added
  }
  const existing = await stores.identities.findByEmail(passcode.email)
  const identity = existing && (await stores.identities.findForUpdate(existing.id))
  if (identity === undefined) throw new Error('The new identity is missing from the database')
  return identity
}

/**
 * Stores that the owner of the mailbox entered a mailed code. The first time, the people whom identity providers let in before lose
 * access until they enter one too: a provider may have named this address for somebody else. Returns the identity's current state.
 */
async function proveMailbox(
  stores: Pick<Stores, AdmissionStores>,
  identity: IdentityRow,
  {
    email,
    ...context
  }: {
    readonly email: string
    readonly visitor: Visitor
    readonly at: number
    readonly outbox: Outbox
  },
): Promise<IdentityRow> {
  const { id, emailVerifiedAt } = identity
  if (emailVerifiedAt !== null || identity.email !== email) return identity
  await stores.identities.updateEmailVerified(id, email, context.at)
  const providers = await stores.providers.retireSubjectsOf(id)
  if (providers.length === 0) return { ...identity, emailVerifiedAt: context.at }
  for (const provider of providers) {
    const change = `you entered a code from this mailbox for the first time. Until then, ${provider} decided who could log in to your account. These sessions have ended, and the next login with ${provider} asks for a code that we mail to you.`
    await endProviderAccess(stores, { account: identity, provider, change, ...context })
  }
  return (await stores.identities.findById(id)) ?? identity
}
