import type { Parsed } from '@portico/contracts/call'
import type { ExpandedAlias, readIdentity, readSession } from '@portico/contracts/identity'
import type * as z from 'zod/mini'
import type { OpenSession } from '../sessions/sessions.ts'

/** The signed-in user's identity in both versions of the call's format (§3). */
export function identityOf(session: OpenSession): Parsed<(typeof readIdentity)['answer']> {
  const { aliases, passwordExpired, hasPassword } = session
  return {
    identity: {
      uuid: session.identityId,
      organizationCode: session.organizationCode,
      profileType: session.profileType,
      updatedDate: new Date(session.updatedAt).toISOString(),
      passwordExpired,
      twoFactorEnabled: session.emailFactor || aliases.some(({ type }) => type !== 'Email'),
      totpVerified: aliases.some(({ type }) => type === 'TOTP'),
      aliases: expandedAliases(session),
    },
    passwordExpired,
    hasPassword,
  }
}

/** The parts of a session that a server-rendered page needs. */
export function cookieSessionOf(
  session: OpenSession,
): NonNullable<Parsed<(typeof readSession)['answer']>['session']> {
  const { identityId, email, organizationCode, profileType, chosen } = session
  return {
    identityUuid: identityId,
    email,
    organizationCode,
    profileType,
    passwordExpired: session.passwordExpired,
    authenticatedAt: new Date(session.confirmedAt).toISOString(),
    expiresAt: new Date(session.expiresAt).toISOString(),
    ...chosen,
  }
}

/** The aliases that receive codes, in the calls' format (§3). An address that only an identity provider named is not verified. */
export function expandedAliases({
  aliases,
  emailVerifiedAt,
}: Pick<OpenSession, 'aliases' | 'emailVerifiedAt'>): z.output<typeof ExpandedAlias>[] {
  return aliases.map(({ id, type, value }) => {
    const verified = type !== 'Email' || emailVerifiedAt !== null
    return { uuid: id, type, value, verified, auth: true }
  })
}
