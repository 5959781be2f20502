/** Connects the SDK to Fastify 4 and 5. */
import {
  checkSession,
  checkToken,
  headersOf,
  type NodeRequest,
  unavailableResponse,
  webRequest,
} from './guards.ts'
import type { SignIn } from './sign-in.ts'
import type { Requirement, Tokens } from './tokens.ts'

export { sessionOf, tokenOf } from './guards.ts'

const FORM = 'application/x-www-form-urlencoded'
const MAX_BODY_BYTES = 16 * 1024

/** The parts of Fastify's types that are used, so that Fastify is not a dependency. */
interface FastifyRequestLike extends NodeRequest {
  readonly body: unknown
}

interface FastifyReplyLike {
  code(status: number): this
  headers(values: Record<string, string | string[]>): this
  send(payload?: unknown): this
}

interface FastifyInstanceLike {
  removeContentTypeParser(type: string): void
  addContentTypeParser(
    type: string,
    options: { parseAs: 'string'; bodyLimit: number },
    parser: (
      request: never,
      body: string,
      done: (error: Error | null, body?: unknown) => void,
    ) => void,
  ): void
  route(options: {
    method: string[]
    url: string
    handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>
  }): unknown
}

type Guard = (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>

/** A plugin that serves the routes of `signIn.paths`: `app.register(signInRoutes(signIn))`. */
export function signInRoutes(signIn: SignIn) {
  return async (app: FastifyInstanceLike): Promise<void> => {
    // The application may parse forms too, but the text is needed here.
    app.removeContentTypeParser(FORM)
    app.addContentTypeParser(
      FORM,
      { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
      (_request, body, done) => done(null, body),
    )
    for (const url of Object.values(signIn.paths)) {
      app.route({
        method: ['GET', 'POST'],
        url,
        handler: async (request, reply) => {
          const form = typeof request.body === 'string' ? request.body : undefined
          try {
            return await send(reply, await signIn.handle(webRequest(request, form)))
          } catch (error) {
            const response = unavailableResponse(error)
            if (response === undefined) throw error
            return send(reply, response)
          }
        },
      })
    }
  }
}

/**
 * A `preHandler` that requires a session, which `sessionOf(request)` then returns. Page requests without one are redirected
 * to the login; any other request gets 401 and `{"code": "login-required"}` or `{"code": "step-up-required"}`.
 */
export function requireSession(signIn: SignIn, requirement: Requirement = {}): Guard {
  return async (request, reply) =>
    send(reply, await checkSession(signIn, request, { request, requirement }))
}

/**
 * A `preHandler` that requires a valid access token of this client in the header `authorization`, which `tokenOf(request)`
 * then returns.
 */
export function requireToken(tokens: Tokens): Guard {
  return async (request, reply) => send(reply, await checkToken(tokens, request, request))
}

async function send(reply: FastifyReplyLike, response: Response | undefined): Promise<unknown> {
  if (response === undefined) return undefined
  return reply
    .code(response.status)
    .headers(headersOf(response))
    .send(Buffer.from(await response.arrayBuffer()))
}
