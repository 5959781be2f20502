import { PASSCODE_LIFETIME_MS, REGISTRATION_LIFETIME_MS } from '@portico/contracts/limits'
import { type Clock, isLive } from '../clock.ts'
import { requestedOrganization } from '../http/requested-organization.ts'
import type { Visitor } from '../http/visitor.ts'
import type { Organizations } from '../organizations/organizations.ts'
import type { Vault } from '../secrets/vault.ts'
import type { AllStores } from '../stores.ts'
import type { Tokens } from '../tokens/tokens.ts'

/**
 * Begins a registration. Every address is answered alike: with a token that continues this registration and opens
 * nothing. Whose address it is shows the passcode that follows; for an owner of an account it simply signs in.
 */
export function beginRegistration(deps: {
  readonly stores: AllStores
  readonly tokens: Tokens
  readonly vault: Vault
  readonly clock: Clock
}) {
  const { stores, tokens, vault, clock } = deps
  return async (email: string, visitor: Visitor): Promise<{ jwt: string }> => {
    const at = clock()
    const organizationCode = visitor.organization.orgCode
    const expiresAt = at + REGISTRATION_LIFETIME_MS
    await stores.registrations.begin({ email, organizationCode, at, expiresAt })
    await stores.audit.add({
      kind: 'registration-begun',
      at,
      identityId: null,
      organizationCode,
      network: visitor.network,
    })
    const claims = { sub: vault.mac('registration', email), org: organizationCode }
    return { jwt: tokens.issue('registration', claims, REGISTRATION_LIFETIME_MS / 1000) }
  }
}

/** What a partner's page may know of a registration (§7.2). */
export interface RegistrationVerification {
  readonly isIdentityRegistered: boolean
  readonly isInquiryWelcomeEmailSent: boolean
  readonly isTokenExpired: boolean
}

/**
 * Tells how far a registration has come. By e-mail address it answers only for people of the organization that is
 * named, and few times per network, since the answer says who has an account. A token counts only for the address it
 * was sent to.
 */
export function verifyRegistration(deps: {
  readonly stores: AllStores
  readonly organizations: Organizations
  readonly clock: Clock
}) {
  const { stores, clock } = deps
  const named = requestedOrganization(deps.organizations)
  return async ({
    identityUuid,
    borrowerEmail,
    organization,
    loginUuid,
  }: {
    identityUuid?: string | undefined
    borrowerEmail?: string | undefined
    organization?: string | undefined
    loginUuid?: string | undefined
  }): Promise<RegistrationVerification> => {
    if (organization !== undefined) named(organization)
    const at = clock()
    const identity =
      identityUuid === undefined
        ? await stores.identities.byEmail(borrowerEmail ?? '')
        : await stores.identities.byId(identityUuid)
    const email = identityUuid === undefined ? borrowerEmail : identity?.email
    const isTheirs = organization === undefined || identity?.organization_code === organization
    const welcomedBy = email === undefined ? [] : await stores.inquiries.organizations(email, at)
    const token = loginUuid === undefined ? undefined : await stores.passcodes.byId(loginUuid)
    return {
      isIdentityRegistered: isTheirs && identity !== undefined && identity.password_hash !== null,
      isInquiryWelcomeEmailSent:
        organization === undefined ? welcomedBy.length > 0 : welcomedBy.includes(organization),
      isTokenExpired:
        token === undefined ||
        token.email !== email ||
        token.redeemed_at !== null ||
        !isLive(token.expires_at, PASSCODE_LIFETIME_MS, at),
    }
  }
}
