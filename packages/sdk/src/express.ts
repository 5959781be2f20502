/** Connects the SDK to Express 4 and 5, and to any other server with handlers of the form `(request, response, next)`. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { checkSession, checkToken, headersOf, unavailableResponse, webRequest } from './guards.ts'
import type { SignIn } from './sign-in.ts'
import type { Requirement, Tokens } from './tokens.ts'

export { sessionOf, tokenOf } from './guards.ts'

const MAX_BODY_BYTES = 16 * 1024

/** The parts of an Express request that are used. */
interface ExpressRequest extends IncomingMessage {
  /** Set by Express for a router mounted below a path. */
  readonly originalUrl?: string
  /** Set if the application has already parsed the body. */
  readonly body?: unknown
}

type Handler = (
  request: ExpressRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => Promise<void>

/** Serves the routes of `signIn.paths`. */
export function signInRoutes(signIn: SignIn): Handler {
  return handler(async (request) => {
    // A client may send an invalid URL, such as `//[`.
    const path = URL.parse(urlOf(request), 'http://localhost')?.pathname ?? ''
    if (!Object.values(signIn.paths).includes(path)) return undefined
    const form = request.method === 'POST' ? await readForm(request) : undefined
    try {
      return await signIn.handle(webRequest(requestOf(request), form))
    } catch (error) {
      const response = unavailableResponse(error)
      if (response === undefined) throw error
      return response
    }
  })
}

/**
 * Requires a session, which `sessionOf(request)` then returns. Page requests without one are redirected to the login; any
 * other request gets 401 and `{"code": "login-required"}` or `{"code": "step-up-required"}`.
 */
export function requireSession(signIn: SignIn, requirement: Requirement = {}): Handler {
  return handler((request) => checkSession(signIn, requestOf(request), { request, requirement }))
}

/** Requires a valid access token of this client in the header `authorization`, which `tokenOf(request)` then returns. */
export function requireToken(tokens: Tokens): Handler {
  return handler((request) => checkToken(tokens, requestOf(request), request))
}

/** A handler that sends the response, or calls the next handler if there is none. */
function handler(respond: (request: ExpressRequest) => Promise<Response | undefined>): Handler {
  return async (request, response, next) => {
    let result: Response | undefined
    try {
      result = await respond(request)
    } catch (error) {
      return next(error)
    }
    if (result === undefined) return next()
    const body = Buffer.from(await result.arrayBuffer())
    response.writeHead(result.status, headersOf(result)).end(body)
  }
}

const urlOf = (request: ExpressRequest) => request.originalUrl ?? request.url ?? '/'

const requestOf = (request: ExpressRequest) => ({
  method: request.method ?? 'GET',
  url: urlOf(request),
  headers: request.headers,
})

/** The submitted form, whether or not the application has parsed it. */
async function readForm(request: ExpressRequest): Promise<string> {
  const { body } = request
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body.toString()
  if (typeof body === 'object' && body !== null) {
    return new URLSearchParams(body as Record<string, string>).toString() // A parsed form.
  }
  let form = ''
  for await (const chunk of request.setEncoding('utf8')) {
    form += String(chunk)
    if (form.length > MAX_BODY_BYTES) break
  }
  return form
}
