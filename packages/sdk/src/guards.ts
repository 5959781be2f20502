/** The code shared by the framework adapters. */
import { PorticoError } from './error.ts'
import { headerOf, type RequestHeaders } from './request-headers.ts'
import type { Session, SignIn } from './sign-in.ts'
import type { AccessToken, Requirement, Tokens } from './tokens.ts'

export interface NodeRequest {
  readonly method: string
  /** The path including the query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

const sessions = new WeakMap<object, Session>()
const accessTokens = new WeakMap<object, AccessToken>()

/**
 * The session that `requireSession` found for a request.
 *
 * @throws Error - if the route has no `requireSession`
 */
export function sessionOf(request: object): Session {
  return requireValue(sessions.get(request), 'requireSession')
}

/**
 * The access token that `requireToken` found in a request.
 *
 * @throws Error - if the route has no `requireToken`
 */
export function tokenOf(request: object): AccessToken {
  return requireValue(accessTokens.get(request), 'requireToken')
}

function requireValue<Value>(value: Value | undefined, guard: string): Value {
  if (value === undefined) throw new Error(`This route needs ${guard}`)
  return value
}

/** Finds a request's session. Returns the response that refuses the request if there is none. */
export async function checkSession(
  signIn: SignIn,
  { method, url, headers }: NodeRequest,
  { request, requirement }: { readonly request: object; readonly requirement: Requirement },
): Promise<Response | undefined> {
  try {
    const session = await signIn.session(headers)
    if (session !== undefined && signIn.meets(session, requirement)) {
      sessions.set(request, session)
      return undefined
    }
    const code = session === undefined ? 'login-required' : 'step-up-required'
    if (method === 'GET' && headerOf(headers, 'accept')?.includes('text/html')) {
      const location = signIn.loginPath({ ...requirement, returnTo: url })
      return new Response(null, {
        status: 303,
        headers: { location, 'cache-control': 'no-store' },
      })
    }
    return refusal(401, code)
  } catch (error) {
    return refusalOf(error)
  }
}

/** Verifies a request's access token. Returns the response that refuses the request if there is no valid one. */
export async function checkToken(
  tokens: Tokens,
  { headers }: Pick<NodeRequest, 'headers'>,
  request: object,
): Promise<Response | undefined> {
  try {
    accessTokens.set(request, await tokens.verifyAccessToken(bearerOf(headers)))
    return undefined
  } catch (error) {
    return refusalOf(error)
  }
}

function bearerOf(headers: RequestHeaders): string {
  return /^Bearer ([\w.~+/=-]+)$/i.exec(headerOf(headers, 'authorization') ?? '')?.[1] ?? ''
}

function refusalOf(error: unknown): Response {
  if (!(error instanceof PorticoError)) throw error
  switch (error.code) {
    case 'unavailable':
      return refusal(503, error.code)
    case 'invalid-token':
      return refusal(401, error.code, { 'www-authenticate': 'Bearer error="invalid_token"' })
    default:
      throw error
  }
}

/** The response for a request that failed because of Portico; undefined for an application error. */
export function unavailableResponse(error: unknown): Response | undefined {
  return error instanceof PorticoError && error.code === 'unavailable'
    ? refusal(503, error.code)
    : undefined
}

const refusal = (status: number, code: string, headers: Readonly<Record<string, string>> = {}) =>
  Response.json({ code }, { status, headers: { 'cache-control': 'no-store', ...headers } })

/** Converts a Node request for `SignIn.handle`. Its host is not used. */
export function webRequest({ method, url, headers }: NodeRequest, form?: string): Request {
  const copied = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !name.startsWith(':'))
      copied.set(name, headerOf(headers, name) ?? '')
  }
  return new Request(new URL(url, 'http://localhost'), {
    method,
    headers: copied,
    ...(form !== undefined && { body: form }),
  })
}

/** A response's headers; repeated headers are lists. */
export function headersOf(response: Response): Record<string, string | string[]> {
  const cookies = response.headers.getSetCookie()
  return {
    ...Object.fromEntries(response.headers),
    ...(cookies.length > 0 && { 'set-cookie': cookies }),
  }
}
