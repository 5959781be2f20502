/**
 * The token that identifies the user to the lender's application in a proxied request. It is valid only for this request and
 * for a minute, so a leaked token, such as from an application log, is useless.
 */
import { sign } from 'node:crypto'
import type { OpenSession } from '../sessions/sessions.ts'
import type { SigningKey } from '../tokens/signing-keys.ts'
import { claimsOf } from './claims.ts'
import { loginOf, sessionIdAt } from './provider-session.ts'

const LIFETIME_S = 60

export interface IdentifiedRequest {
  /** The origin of the application. */
  readonly audience: string
  readonly method: string
  /** Including the query, as the application receives it. */
  readonly path: string
}

/** The token as a JWT (ES256). No client ID is an origin, so no client accepts it as an ID token. */
export function identityToken(
  session: OpenSession,
  { audience, method, path }: IdentifiedRequest,
  { issuer, key, at }: { readonly issuer: string; readonly key: SigningKey; readonly at: number },
): string {
  const { ts, acr, amr } = loginOf(session)
  const iat = Math.floor(at / 1000)
  const { walletAddress = null, groupPolicyAddress = null } = session.chosen ?? {}
  const payload = {
    iss: issuer,
    aud: audience,
    ...claimsOf({ ...session, walletAddress, groupPolicyAddress }),
    sid: sessionIdAt(audience, session.id),
    auth_time: ts,
    acr,
    amr,
    ...(session.operator !== undefined && { act: { sub: session.operator.id } }),
    iat,
    exp: iat + LIFETIME_S,
    method,
    path,
  }
  const header = { alg: 'ES256', typ: 'portico-identity+jwt', kid: key.id }
  const signed = `${encode(header)}.${encode(payload)}`
  const signature = sign('sha256', Buffer.from(signed), {
    key: key.privateKey,
    dsaEncoding: 'ieee-p1363',
  })
  return `${signed}.${signature.toString('base64url')}`
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
