/**
 * Signs users of a server-rendered application in through Portico. The browser has two cookies: a random one that identifies
 * the session and, during a login, an encrypted one with its state and PKCE verifier. Tokens stay on the server.
 */
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { PorticoError } from './error.ts'
import { cookiesOf, headerOf, type RequestHeaders } from './request-headers.ts'
import { safeReturnTo } from './return-to.ts'
import { openSeal } from './sealed-cookie.ts'
import type { SessionStore } from './session-store.ts'
import {
  type IdTokenClaims,
  meetsRequirement,
  openProvider,
  type Requirement,
  requestError,
  secureUrl,
  type TokenOptions,
  type Tokens,
} from './tokens.ts'

/** Portico ends a session after twelve hours at most. */
const SESSION_S = 12 * 60 * 60
const LOGIN_S = 30 * 60
/** The maximum number of pending logins in a browser's tabs; more would make its requests too large. */
const MAX_LOGINS = 4
const SESSION_BYTES = 32
const MIN_SECRET_LENGTH = 32
/** Access tokens that expire sooner are refreshed first. */
const FRESH_MS = 30_000
/** Longer than a refresh takes. */
const REFRESH_MS = 15_000
const REFRESH_POLL_MS = 100
const MAX_STORED_LENGTH = 64 * 1024
const MAX_LOGOUT_BODY_BYTES = 16 * 1024

export interface SignInOptions extends TokenOptions {
  /** Your application's origin, for example `https://app.lender.example`. */
  readonly appUrl: string
  /** The base path of its routes, for example `/auth`; the root by default. */
  readonly basePath?: string
  /**
   * At least 32 random characters, the same in all processes. To replace it without signing users out, configure two: the
   * first one seals, both open. The old one can be removed twelve hours after the new one became the first in all processes.
   */
  readonly cookieSecret: string | readonly [string, string]
  readonly store: SessionStore
  /** `openid email` by default. */
  readonly scope?: string
  /** The path that shows why a login failed, given in its query parameter `signIn`; `/` by default. */
  readonly failurePath?: string
  /** Receives errors that the user only sees as a failed login; they are printed by default. */
  readonly log?: (error: unknown) => void
}

/** A signed-in user. */
export interface Session {
  readonly claims: IdTokenClaims
  /** For calls to Portico and your own APIs on the user's behalf. */
  readonly accessToken: string
}

/**
 * The reason for the page at `failurePath`: the login took too long, the user canceled it, Portico did not respond, or
 * another error.
 */
export type SignInFailure = 'expired' | 'canceled' | 'unavailable' | 'failed'

export interface SignIn extends Tokens {
  /**
   * The routes that `handle` serves: `GET login`, `GET callback`, `POST logout`, `POST backChannelLogout`, and `GET
   * session`, which returns `{"user": {"sub", "email", "organization"} | null}`.
   */
  readonly paths: Readonly<
    Record<'login' | 'callback' | 'logout' | 'backChannelLogout' | 'session', string>
  >
  /**
   * Serves a request to one of `paths`; undefined for any other path.
   *
   * @throws PorticoError - `unavailable`, at a logout
   */
  handle(request: Request): Promise<Response | undefined>
  /**
   * A request's session, refreshed if necessary, which counts as use of the session at Portico; undefined if the user is not
   * signed in.
   *
   * @throws PorticoError - `unavailable`
   */
  session(headers: RequestHeaders): Promise<Session | undefined>
  /** Whether a session meets a requirement. If not, redirect the user to `loginPath` with the requirement. */
  meets(session: Session, requirement: Requirement): boolean
  /** The path that signs a user in or asks for another proof, and then redirects to the path `returnTo`. */
  loginPath(login?: Requirement & { readonly returnTo?: string }): string
  /** Whether a request was sent by a page of this application. Refuse any other request that changes something. */
  isSameOrigin(headers: RequestHeaders): boolean
}

/** A pending login. */
interface PendingLogin {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly returnTo: string
  readonly requirement: Requirement
  /** The user who must sign in again. */
  readonly sub: string | undefined
}

/** The encrypted content of a stored session. */
interface Content {
  readonly idToken: string
  readonly accessToken: string
  readonly refreshToken: string | undefined
  /** When the access token expires, in milliseconds since 1970. */
  readonly freshUntil: number
}

type TokenResponse = Awaited<ReturnType<typeof client.refreshTokenGrant>>

/** @throws PorticoError - `invalid-options` */
export function openSignIn(options: SignInOptions): SignIn {
  const { issuer, clientId, cookieSecret, store, scope = 'openid email' } = options
  // oxlint-disable-next-line no-console -- only by default
  const { basePath = '', failurePath = '/', log = console.error } = options
  const app = secureUrl('appUrl', options.appUrl)
  const cookieSecrets = typeof cookieSecret === 'string' ? [cookieSecret] : cookieSecret
  if (cookieSecrets.some(({ length }) => length < MIN_SECRET_LENGTH)) {
    throw new PorticoError(
      'invalid-options',
      `Each cookieSecret must have at least ${MIN_SECRET_LENGTH} characters: openssl rand -base64 32`,
    )
  }
  const provider = openProvider(options)
  const logins = openSeal(cookieSecrets, 'login')
  const contents = openSeal(cookieSecrets, 'session', MAX_STORED_LENGTH)
  const isSecure = app.protocol === 'https:'
  // Applications on other ports of localhost receive the same cookies, so the client's ID tells them apart.
  const sessionCookie = `${isSecure ? '__Host-' : ''}${clientId}-session`
  const loginCookies = `${isSecure ? '__Host-' : ''}${clientId}-login-`
  const paths = {
    login: `${basePath}/login`,
    callback: `${basePath}/callback`,
    logout: `${basePath}/logout`,
    backChannelLogout: `${basePath}/back-channel-logout`,
    session: `${basePath}/session`,
  }
  const redirectUri = `${app.origin}${paths.callback}`
  const refreshes = new Map<string, Promise<Content | undefined>>()

  const cookie = (name: string, value: string, lifetimeS: number) =>
    `${name}=${value}; Path=/; Max-Age=${lifetimeS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  const loginCookieOf = (state: string) => `${loginCookies}${sha256(state).slice(0, 8)}`

  async function readSession(headers: RequestHeaders) {
    const value = cookiesOf(headers).get(sessionCookie)
    if (value === undefined || value.length > 2 * SESSION_BYTES) return undefined
    const id = sha256(value)
    const content = await readContent(id)
    if (content === undefined) return undefined
    const fresh = isFresh(content) ? content : await refresh(id)
    return fresh && { id, content: fresh, session: sessionOf(fresh) }
  }

  async function readContent(id: string): Promise<Content | undefined> {
    const stored = await store.find(id)
    if (stored === undefined || stored.expiresAt <= Date.now()) return undefined
    return (await contents.open(stored.value)) as Content | undefined // Sealed as such.
  }

  /** Refreshes a session once for all concurrent requests, because Portico revokes a grant whose token is used twice. */
  function refresh(id: string): Promise<Content | undefined> {
    const running = refreshes.get(id)
    if (running !== undefined) return running
    const started = refreshAlone(id).finally(() => refreshes.delete(id))
    refreshes.set(id, started)
    return started
  }

  async function refreshAlone(id: string): Promise<Content | undefined> {
    for (const giveUpAt = Date.now() + 2 * REFRESH_MS; ; ) {
      const at = Date.now()
      const isClaimed = await store.claimRefresh(id, { at, until: at + REFRESH_MS })
      // Another process may have refreshed it before the claim.
      const content = await readContent(id)
      if (content === undefined || isFresh(content)) return content
      if (isClaimed) return requestFresh(id, content)
      if (at > giveUpAt) throw requestError(issuer, new Error('The refresh takes too long'))
      await wait(REFRESH_POLL_MS)
    }
  }

  async function requestFresh(id: string, before: Content): Promise<Content | undefined> {
    try {
      const configuration = await provider.discover()
      const tokens = await client.refreshTokenGrant(configuration, before.refreshToken ?? '')
      const content = contentOf(tokens, before)
      if (content.idToken !== before.idToken) {
        const { sub, sid } = await provider.verifyIdToken(content.idToken)
        const known = claimsOf(before)
        if (sub !== known.sub || sid !== known.sid) {
          throw new PorticoError('invalid-token', 'The refreshed ID token is of another session')
        }
      }
      await store.update(id, await contents.seal(content, SESSION_S))
      return content
    } catch (error) {
      if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant') {
        await store.delete(id) // The session at Portico has ended.
        return undefined
      }
      await store.update(id, await contents.seal(before, SESSION_S))
      throw error instanceof PorticoError ? error : requestError(issuer, error)
    }
  }

  async function logIn({ headers }: Request, query: URLSearchParams): Promise<Response> {
    const returnTo = safeReturnTo(query.get('returnTo'))
    const requirement = requirementIn(query)
    const current = await readSession(headers)
    if (current !== undefined && meetsRequirement(current.session.claims, requirement)) {
      return redirect(returnTo)
    }
    const configuration = await provider.discover()
    const pending: PendingLogin = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      returnTo,
      requirement,
      sub: current?.session.claims.sub,
    }
    const { acr, maxAgeS } = requirement
    const loginHint = query.get('loginHint')
    const { href } = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
      ...(acr !== undefined && { acr_values: acr }),
      ...(maxAgeS !== undefined && { max_age: String(maxAgeS) }),
      ...(loginHint !== null && { login_hint: loginHint.slice(0, 320) }),
      // Another user must not continue a login that this one began.
      ...(current !== undefined && { id_token_hint: current.content.idToken }),
    })
    const others = [...cookiesOf(headers).keys()].filter((name) => name.startsWith(loginCookies))
    const outdated = others.length < MAX_LOGINS ? [] : others
    return redirect(href, [
      ...outdated.map((name) => cookie(name, '', 0)),
      cookie(loginCookieOf(pending.state), await logins.seal(pending, LOGIN_S), LOGIN_S),
    ])
  }

  async function completeLogin({ headers }: Request, query: URLSearchParams): Promise<Response> {
    const state = query.get('state') ?? ''
    const name = loginCookieOf(state)
    const pending = (await logins.open(cookiesOf(headers).get(name))) as PendingLogin | undefined // Sealed as such.
    if (pending === undefined || pending.state !== state) {
      // The user went back or reloaded the page.
      return (await readSession(headers)) === undefined ? failed('expired') : redirect('/')
    }
    const cleared = cookie(name, '', 0)
    try {
      const tokens = await client.authorizationCodeGrant(
        await provider.discover(),
        new URL(`${redirectUri}?${query}`),
        {
          pkceCodeVerifier: pending.verifier,
          expectedState: pending.state,
          expectedNonce: pending.nonce,
          idTokenExpected: true,
        },
      )
      const content = contentOf(tokens, undefined)
      const { sub, sid } = await provider.verifyIdToken(content.idToken, pending.requirement)
      if (pending.sub !== undefined && pending.sub !== sub) {
        throw new PorticoError('invalid-token', 'Another user signed in')
      }
      const before = cookiesOf(headers).get(sessionCookie)
      if (before !== undefined) await store.delete(sha256(before))
      // A new session ID, so that no one who planted the previous one is signed in (session fixation).
      const value = randomBytes(SESSION_BYTES).toString('base64url')
      const expiresAt = Date.now() + SESSION_S * 1000
      const sealed = await contents.seal(content, SESSION_S)
      await store.insert({ id: sha256(value), sid, value: sealed, expiresAt })
      return redirect(pending.returnTo, [cleared, cookie(sessionCookie, value, SESSION_S)])
    } catch (error) {
      if (error instanceof client.AuthorizationResponseError && error.error === 'access_denied') {
        return failed('canceled', [cleared])
      }
      log(error)
      return failed('failed', [cleared])
    }
  }

  /** Ends the session at Portico and thereby those of all applications; with `only=here`, only this application's. */
  async function logOut({ headers }: Request, query: URLSearchParams): Promise<Response> {
    if (!isSameOrigin(headers))
      return new Response('Send this form from your own page', { status: 403 })
    const value = cookiesOf(headers).get(sessionCookie)
    const id = sha256(value ?? '')
    const content = value === undefined ? undefined : await readContent(id)
    const cleared = cookie(sessionCookie, '', 0)
    if (content === undefined) return redirect('/', [cleared])
    if (query.get('only') === 'here') {
      await store.delete(id)
      // The grant ends with the session at Portico anyway.
      await provider
        .discover()
        .then((configuration) =>
          client.tokenRevocation(configuration, content.refreshToken ?? '', {
            token_type_hint: 'refresh_token',
          }),
        )
        .catch(log)
      return redirect('/', [cleared])
    }
    // If Portico does not respond, the user stays signed in and can try again.
    const { href } = client.buildEndSessionUrl(await provider.discover(), {
      id_token_hint: content.idToken,
      post_logout_redirect_uri: `${app.origin}/`,
    })
    await store.delete(id)
    return redirect(href, [cleared])
  }

  /** Ends the sessions that belong to an ended session at Portico. */
  async function handleLogoutToken(request: Request): Promise<Response> {
    const body = await request.text()
    const token =
      body.length > MAX_LOGOUT_BODY_BYTES ? null : new URLSearchParams(body).get('logout_token')
    try {
      const { sid } = await provider.verifyLogoutToken(token ?? '')
      await store.deleteBySid(sid)
      return json({})
    } catch (error) {
      log(error)
      if (!(error instanceof PorticoError) || error.code === 'unavailable') throw error
      return json({ error: 'invalid_request', error_description: error.message }, 400)
    }
  }

  async function describeSession({ headers }: Request): Promise<Response> {
    const current = await readSession(headers)
    if (current === undefined) return json({ user: null })
    const { sub, email, organization } = current.session.claims
    return json({ user: { sub, email, organization } })
  }

  function failed(reason: SignInFailure, cookies: readonly string[] = []): Response {
    return redirect(`${failurePath}?signIn=${reason}`, cookies)
  }

  function isSameOrigin(headers: RequestHeaders): boolean {
    const origin = headerOf(headers, 'origin')
    return origin === undefined
      ? headerOf(headers, 'sec-fetch-site') === 'same-origin'
      : origin === app.origin
  }

  const routes: Readonly<
    Record<string, (request: Request, query: URLSearchParams) => Promise<Response>>
  > = {
    [`GET ${paths.login}`]: (request, query) =>
      logIn(request, query).catch((error: unknown) => {
        log(error)
        return failed('unavailable')
      }),
    [`GET ${paths.callback}`]: completeLogin,
    [`POST ${paths.logout}`]: logOut,
    [`POST ${paths.backChannelLogout}`]: handleLogoutToken,
    [`GET ${paths.session}`]: describeSession,
  }

  return {
    ...provider,
    paths,
    async handle(request) {
      const { pathname, searchParams } = new URL(request.url)
      if (!Object.values(paths).includes(pathname)) return undefined
      const route = routes[`${request.method} ${pathname}`]
      return route?.(request, searchParams) ?? new Response(null, { status: 405 })
    },
    session: async (headers) => (await readSession(headers))?.session,
    meets: ({ claims }, requirement) => meetsRequirement(claims, requirement),
    loginPath({ returnTo = '/', acr, maxAgeS } = {}) {
      const query = new URLSearchParams({
        returnTo,
        ...(acr !== undefined && { acr }),
        ...(maxAgeS !== undefined && { maxAge: String(maxAgeS) }),
      })
      return `${paths.login}?${query}`
    },
    isSameOrigin,
  }
}

/** The requirements in a login link. Pages must check the session themselves, because users can change the link. */
function requirementIn(query: URLSearchParams): Requirement {
  const maxAge = /^\d{1,6}$/.exec(query.get('maxAge') ?? '')?.[0]
  return {
    acr: query.get('acr') === 'two-factor' ? 'two-factor' : undefined,
    maxAgeS: maxAge === undefined ? undefined : Number(maxAge),
  }
}

function contentOf(tokens: TokenResponse, before: Content | undefined): Content {
  return {
    idToken: tokens.id_token ?? before?.idToken ?? '',
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token ?? before?.refreshToken,
    freshUntil: Date.now() + (tokens.expiresIn() ?? 0) * 1000,
  }
}

const isFresh = ({ freshUntil }: Content) => freshUntil - FRESH_MS > Date.now()

const claimsOf = ({ idToken }: Content) => decodeJwt<IdTokenClaims>(idToken) // Verified before it was stored.

const sessionOf = (content: Content): Session => ({
  claims: claimsOf(content),
  accessToken: content.accessToken,
})

function redirect(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store' })
  for (const each of cookies) headers.append('set-cookie', each)
  return new Response(null, { status: 303, headers })
}

const json = (content: object, status = 200) =>
  Response.json(content, { status, headers: { 'cache-control': 'no-store' } })

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
