/**
 * Verifies the tokens that Portico issues to an application: ID tokens and logout tokens with its published keys, and opaque
 * access tokens by introspection.
 */
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify, type RemoteJWKSet } from 'jose'
import * as client from 'openid-client'
import { PorticoError } from './error.ts'

const ALGORITHMS = ['ES256']
/** Longer than any token of Portico. */
const MAX_TOKEN_LENGTH = 8192
const CLOCK_TOLERANCE_S = 10
const TIMEOUT_S = 5
const MAX_LOGOUT_TOKEN_AGE_S = 300
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/
const WITHOUT_TLS = 'must begin with https, or with http for localhost'

export interface TokenOptions {
  /** Portico's `PUBLIC_URL` with `/oidc`, for example `https://login.lender.example/oidc`. */
  readonly issuer: string
  readonly clientId: string
  /** Omitted by a client with `"authentication": "none"`, which cannot verify access tokens. */
  readonly clientSecret?: string | undefined
}

/** The requirements for a login. */
export interface Requirement {
  /** `two-factor`: a second factor, a passkey, or a later confirmation with another proof. */
  readonly acr?: 'two-factor' | undefined
  /** The maximum number of seconds since the user last proved their identity. */
  readonly maxAgeS?: number | undefined
}

/** The content of an ID token. Times are seconds since 1970. */
export interface IdTokenClaims {
  readonly iss: string
  readonly aud: string
  /** Identifies the user; it never changes. */
  readonly sub: string
  /** The user's session at Portico, as in logout tokens. */
  readonly sid: string
  readonly exp: number
  readonly iat: number
  /** When the user last proved their identity. */
  readonly auth_time: number
  readonly acr: 'one-factor' | 'two-factor'
  readonly amr: readonly string[]
  /** The code of the organization that the user registered with. */
  readonly organization: string
  /** With the scope `email`. */
  readonly email?: string
  readonly email_verified?: boolean
  /** With the scope `wallet`, if the user has chosen an account. */
  readonly wallet_address?: string
  readonly group_policy_address?: string
  readonly nonce?: string
}

/** An access token that was valid a moment ago. Times are seconds since 1970. */
export interface AccessToken {
  readonly sub: string
  /** Its scopes, separated by spaces. */
  readonly scope: string
  readonly exp: number
}

export interface Tokens {
  /**
   * Verifies an ID token that was issued to this application.
   *
   * @throws PorticoError - `invalid-token`, `step-up-required` if it does not meet the requirement, or `unavailable`
   */
  verifyIdToken(token: string, requirement?: Requirement): Promise<IdTokenClaims>
  /**
   * Asks Portico whether an access token of this application is valid. The response is not cached, so an ended session is
   * refused at once.
   *
   * @throws PorticoError - `invalid-token` or `unavailable`
   */
  verifyAccessToken(token: string): Promise<AccessToken>
  /**
   * Verifies a back-channel logout token. Each is accepted once by a process.
   *
   * @returns the `sid` of the session that has ended
   * @throws PorticoError - `invalid-logout-token` or `unavailable`
   */
  verifyLogoutToken(token: string): Promise<{ readonly sid: string }>
}

/** The parts that `SignIn` also uses. */
export interface Provider extends Tokens {
  readonly discover: () => Promise<client.Configuration>
}

/**
 * Verifies one application's tokens. Nothing is requested before the first use. Then the provider's metadata is read once,
 * and its keys are reread when they are ten minutes old or a token names an unknown one, at most every 30 seconds.
 *
 * @throws PorticoError - `invalid-options`
 */
export function openTokens(options: TokenOptions): Tokens {
  return openProvider(options)
}

export function openProvider({ issuer, clientId, clientSecret }: TokenOptions): Provider {
  const server = secureUrl('issuer', issuer)
  const seen = onceEach(MAX_LOGOUT_TOKEN_AGE_S * 1000)
  let discovered: Promise<{ configuration: client.Configuration; keys: RemoteJWKSet }> | undefined

  function discover() {
    discovered ??= client
      .discovery(
        server,
        clientId,
        undefined,
        clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret),
        {
          timeout: TIMEOUT_S,
          // oxlint-disable-next-line typescript/no-deprecated -- deprecated only to stand out
          execute: server.protocol === 'http:' ? [client.allowInsecureRequests] : [],
        },
      )
      .then((configuration) => {
        const keysUrl = new URL(configuration.serverMetadata().jwks_uri ?? '', server)
        return { configuration, keys: createRemoteJWKSet(keysUrl) }
      })
      .catch((cause: unknown) => {
        discovered = undefined
        throw requestError(issuer, cause)
      })
    return discovered
  }

  async function verify(
    token: string,
    code: 'invalid-token' | 'invalid-logout-token',
    expected: { typ?: string; maxTokenAge?: number; requiredClaims: string[] },
  ): Promise<JWTPayload & { readonly sub: string }> {
    if (token.length > MAX_TOKEN_LENGTH) {
      throw new PorticoError(code, 'The token is longer than any token of Portico')
    }
    const { keys } = await discover()
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_S,
        ...expected,
        requiredClaims: ['sub', 'sid', ...expected.requiredClaims],
      })
      if (payload.aud !== clientId) {
        throw new PorticoError(
          code,
          `The token was issued to ${String(payload.aud)}, not to ${clientId}`,
        )
      }
      if (typeof payload.sub !== 'string' || typeof payload['sid'] !== 'string') {
        throw new PorticoError(code, 'The token has no valid sub and sid')
      }
      return { ...payload, sub: payload.sub }
    } catch (cause) {
      if (cause instanceof PorticoError) throw cause
      if (!isRefused(cause)) throw requestError(issuer, cause)
      throw new PorticoError(code, `The token is not valid: ${cause.message}`, { cause })
    }
  }

  async function verifyIdToken(token: string, requirement: Requirement = {}) {
    const payload = await verify(token, 'invalid-token', {
      requiredClaims: ['exp', 'iat', 'auth_time', 'acr'],
    })
    if ('events' in payload) throw new PorticoError('invalid-token', 'This is a logout token')
    const claims = payload as JWTPayload & IdTokenClaims // The provider signed it with these claims.
    if (!meetsRequirement(claims, requirement)) {
      throw new PorticoError(
        'step-up-required',
        'The login does not meet the requirement. Let the user sign in again with it.',
      )
    }
    return claims
  }

  async function verifyAccessToken(token: string): Promise<AccessToken> {
    if (clientSecret === undefined) {
      throw new PorticoError('invalid-options', 'Access tokens are verified with a clientSecret')
    }
    const invalid = () =>
      new PorticoError('invalid-token', 'The access token is not valid. Request a new one.')
    // A JWT is not an access token of Portico.
    if (token === '' || token.length > MAX_TOKEN_LENGTH || token.includes('.')) throw invalid()
    const { configuration } = await discover()
    const answer = await client
      .tokenIntrospection(configuration, token, { token_type_hint: 'access_token' })
      .catch((cause: unknown) => {
        throw requestError(issuer, cause)
      })
    const { active, client_id, token_type, sub, scope, exp } = answer
    // A refresh token is also active, but has no type.
    if (!active || client_id !== clientId || token_type !== 'Bearer') throw invalid()
    if (sub === undefined || exp === undefined) throw invalid()
    return { sub, scope: scope ?? '', exp }
  }

  async function verifyLogoutToken(token: string) {
    const { events, nonce, jti, sid } = await verify(token, 'invalid-logout-token', {
      typ: 'logout+jwt',
      maxTokenAge: MAX_LOGOUT_TOKEN_AGE_S,
      requiredClaims: ['iat', 'jti', 'events'],
    })
    const isLogout = typeof events === 'object' && events !== null && LOGOUT_EVENT in events
    if (!isLogout || nonce !== undefined) {
      throw new PorticoError('invalid-logout-token', 'The token does not announce a logout')
    }
    if (!seen(String(jti))) {
      throw new PorticoError('invalid-logout-token', 'The logout token arrived before')
    }
    return { sid: String(sid) }
  }

  return {
    verifyIdToken,
    verifyAccessToken,
    verifyLogoutToken,
    discover: async () => (await discover()).configuration,
  }
}

/** Whether a login meets the requirements. */
export function meetsRequirement(
  { acr, auth_time }: Pick<IdTokenClaims, 'acr' | 'auth_time'>,
  required: Requirement,
): boolean {
  const ageS = Date.now() / 1000 - auth_time
  return (
    (required.acr === undefined || acr === required.acr) &&
    (required.maxAgeS === undefined || ageS <= required.maxAgeS + CLOCK_TOLERANCE_S)
  )
}

/** @throws PorticoError - `invalid-options` */
export function secureUrl(name: string, text: string): URL {
  const url = URL.parse(text)
  const isSecure = url?.protocol === 'https:'
  if (url === null || !(isSecure || (url.protocol === 'http:' && LOOPBACK.test(url.hostname)))) {
    throw new PorticoError('invalid-options', `${name} ${text} ${WITHOUT_TLS}`)
  }
  return url
}

/** Why a request to Portico failed. */
export function requestError(issuer: string, cause: unknown): PorticoError {
  return cause instanceof client.ResponseBodyError && cause.error === 'invalid_client'
    ? new PorticoError('invalid-options', 'Portico refuses the clientId or clientSecret', { cause })
    : new PorticoError('unavailable', `${issuer} does not answer. Is Portico running?`, { cause })
}

/** Whether the token is the cause, not the connection or the key set. */
function isRefused(error: unknown): error is errors.JOSEError {
  if (!(error instanceof errors.JOSEError)) return false
  const isFaultOfKeys = error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid
  return !isFaultOfKeys && error.code !== errors.JOSEError.code
}

/** Accepts each value once within a period. */
function onceEach(periodMs: number): (value: string) => boolean {
  const untilOf = new Map<string, number>()
  return (value) => {
    const at = Date.now()
    // The oldest come first.
    for (const [known, until] of untilOf) {
      if (until > at) break
      untilOf.delete(known)
    }
    if (untilOf.has(value)) return false
    untilOf.set(value, at + periodMs + CLOCK_TOLERANCE_S * 1000)
    return true
  }
}
