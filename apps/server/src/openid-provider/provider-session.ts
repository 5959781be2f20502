import type { Context, Provider, Session } from 'oidc-provider'
import { sha256 } from '../secrets/hashes.ts'
import type { OpenSession } from '../sessions/sessions.ts'
import { authenticationContext, authenticationMethods } from './authentication.ts'

/** The claim `sid`: a session ID that is different at each client, so that clients cannot correlate sessions. */
export function sessionIdAt(clientId: string, sessionId: string): string {
  return sha256(`openid session ${clientId} ${sessionId}`)
}

/** A session's login in the library's format. */
export function loginOf(session: OpenSession) {
  return {
    accountId: session.identityId,
    ts: Math.floor(session.confirmedAt / 1000),
    acr: authenticationContext(session),
    amr: authenticationMethods(session),
  }
}

const COOKIE = 'portico-openid-session'

/** The name of the library's session cookie, which no browser receives. */
export const SESSION_COOKIE_NAME = COOKIE

/**
 * Replaces the library's session, which has its own cookie, with a view of our session.
 *
 * @param sessionOf - our session of a request
 */
export function useOwnSessions(
  provider: Provider,
  sessionOf: (context: Context) => OpenSession | undefined,
): void {
  provider.Session.get = async (context) => {
    const session = providerSession(provider, sessionOf(context))
    context.oidc.entity('Session', session)
    return session
  }
  provider.use(async ({ res }, next) => {
    await next()
    const cookies = [res.getHeader('set-cookie') ?? []].flat().map(String)
    const kept = cookies.filter((cookie) => !cookie.startsWith(COOKIE))
    if (kept.length < cookies.length) res.setHeader('set-cookie', kept)
  })
}

function providerSession(provider: Provider, session: OpenSession | undefined): Session {
  if (session === undefined) return new provider.Session()
  const { ts, ...login } = loginOf(session)
  return new provider.Session({ jti: session.id, uid: session.id, loginTs: ts, ...login })
}
