import { PASSCODE_LIFETIME_MS, REGISTRATION_LIFETIME_MS } from '@portico/contracts/limits'
import type { Organizations } from '../brands/brands.ts'
import { type Clock, isLive } from '../clock.ts'
import { requestedOrganization } from '../http/requested-organization.ts'
import type { Visitor } from '../http/visitor.ts'
import { auditedAddress } from '../lockout/lockout.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Stores, TransactionalStores } from '../stores.ts'
import type { Tokens } from '../tokens/session-tokens.ts'

/**
 * Begins a registration. Every address gets the same response: a token that continues this registration and grants no
 * access. The passcode that follows proves who owns the address; if it already has an account, the passcode simply logs
 * in.
 */
export function beginRegistration(deps: {
  readonly stores: TransactionalStores<'audit' | 'registrations'>
  readonly tokens: Tokens
  readonly vault: Vault
  readonly clock: Clock
}) {
  const { stores, tokens, vault, clock } = deps
  return async (email: string, visitor: Visitor): Promise<{ jwt: string }> => {
    const at = clock()
    const organizationCode = visitor.organization.orgCode
    const expiresAt = at + REGISTRATION_LIFETIME_MS
    await stores.atomically(async ({ audit, registrations }) => {
      await registrations.upsert({ email, organizationCode, at, expiresAt })
      const details = { address: auditedAddress(vault, email) }
      await audit.record('registration-begun', { identityId: null, at, details }, visitor)
    })
    const claims = { sub: vault.mac('registration', email), org: organizationCode }
    return { jwt: tokens.issue('registration', claims, REGISTRATION_LIFETIME_MS / 1000) }
  }
}

/** What partner pages may learn about a registration (§7.2). */
export interface RegistrationVerification {
  readonly isIdentityRegistered: boolean
  readonly isInquiryWelcomeEmailSent: boolean
  readonly isTokenExpired: boolean
}

/**
 * Reports the progress of a registration. A lookup by e-mail address covers only the named organization and is strictly
 * rate-limited per network, since the answer reveals who has an account. A token counts only for the address it was
 * sent to.
 */
export function verifyRegistration(deps: {
  readonly stores: Pick<Stores, 'identities' | 'inquiries' | 'passcodes'>
  readonly organizations: Organizations
  readonly clock: Clock
}) {
  const { stores, clock } = deps
  const findOrganization = requestedOrganization(deps.organizations)
  return async (
    {
      identityUuid,
      borrowerEmail,
      organization,
      loginUuid,
    }: {
      identityUuid?: string | undefined
      borrowerEmail?: string | undefined
      organization?: string | undefined
      loginUuid?: string | undefined
    },
    visitor: Pick<Visitor, 'serves'>,
  ): Promise<RegistrationVerification> => {
    if (organization !== undefined) findOrganization(organization, visitor)
    const at = clock()
    const identity =
      identityUuid === undefined
        ? await stores.identities.findByEmail(borrowerEmail ?? '')
        : await stores.identities.findById(identityUuid)
    const email = identityUuid === undefined ? borrowerEmail : identity?.email
    const isOwnOrganization =
      organization === undefined || identity?.organizationCode === organization
    const welcomedBy =
      email === undefined ? [] : await stores.inquiries.listOrganizations(email, at)
    const token = loginUuid === undefined ? undefined : await stores.passcodes.findById(loginUuid)
    return {
      isIdentityRegistered:
        isOwnOrganization && identity !== undefined && identity.passwordHash !== null,
      isInquiryWelcomeEmailSent:
        organization === undefined ? welcomedBy.length > 0 : welcomedBy.includes(organization),
      isTokenExpired:
        token === undefined ||
        token.email !== email ||
        token.redeemedAt !== null ||
        !isLive(token.expiresAt, PASSCODE_LIFETIME_MS, at),
    }
  }
}
