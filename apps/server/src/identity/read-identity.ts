import type { Parsed } from '@portico/contracts/call'
import type { readIdentity } from '@portico/contracts/identity'
import type { OpenSession } from '../sessions/sessions.ts'

/** The signed-in user's identity, in the shape of both versions of the call (§3). */
export function identityOf(session: OpenSession): Parsed<(typeof readIdentity)['answer']> {
  const aliases = session.aliases.map(({ id, type, value }) => ({
    uuid: id,
    type,
    value,
    verified: true,
    auth: true,
  }))
  return { identity: { ...fields(session), aliases }, ...passwordState(session) }
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

const passwordState = ({ passwordExpired, hasPassword }: OpenSession) => ({
  passwordExpired,
  hasPassword,
})
