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
      aliases: aliases.map(verifiedAlias),
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

/** A verified alias in the calls' format (§3). */
export function verifiedAlias({
  id,
  type,
  value,
}: OpenSession['aliases'][number]): z.output<typeof ExpandedAlias> {
  return { uuid: id, type, value, verified: true, auth: true }
}
