import type { Parsed } from '@portico/contracts/call'
import type { readExpandedIdentity, readIdentity } from '@portico/contracts/identity'
import type { OpenSession } from '../sessions/sessions.ts'

/** The signed-in person's identity. */
export function plainIdentity(session: OpenSession): Parsed<(typeof readIdentity)['answer']> {
  const identity = { ...fields(session), aliases: session.aliases.map(alias) }
  return { identity, passwordExpired: session.passwordExpired }
}

/** The signed-in person's identity with its aliases expanded. */
export function expandedIdentity(
  session: OpenSession,
): Parsed<(typeof readExpandedIdentity)['answer']> {
  const expanded = session.aliases.map((each) => ({ ...alias(each), verified: true, auth: true }))
  const identity = { ...fields(session), aliases: expanded }
  return { identity, passwordExpired: session.passwordExpired }
}

function fields(session: OpenSession) {
  return {
    uuid: session.identityId,
    organizationCode: session.organizationCode,
    profileType: session.profileType,
    updatedDate: new Date(session.updatedAt).toISOString(),
    passwordExpired: session.passwordExpired,
    twoFactorEnabled: session.emailFactor || session.aliases.some(({ type }) => type !== 'Email'),
    totpVerified: session.aliases.some(({ type }) => type === 'TOTP'),
  }
}

const alias = ({ id, type, value }: OpenSession['aliases'][number]) => ({ uuid: id, type, value })
