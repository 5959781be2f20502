/**
 * The paths of the lender's application: redirected to it, proxied to it with the user's identity, or answered with a plain
 * page if none is configured.
 */
import { Refusal } from '@portico/contracts/errors'
import { LENDER_PATHS } from '@portico/contracts/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { escapeHtml } from '../escape-html.ts'
import { isSameOrigin } from '../http/csrf.ts'
import { referenceOf, sendPlainPage, supportSentence } from '../http/plain-page.ts'
import { type Edge, enforceRateLimit, type RateLimitRule } from '../http/serve.ts'
import type { Visitor } from '../http/visitor.ts'
import type { OpenSession } from '../sessions/sessions.ts'
import { SPAN_KINDS, traced } from '../tracing/tracing.ts'
import { requestHeaders, responseHeaders } from './forwarded-headers.ts'
import { hasNoTraversal } from './lender-paths.ts'
import { requestsTo } from './send-request.ts'

/** Pages with their assets, for an office behind one address. */
const RATE_LIMIT: RateLimitRule = { allowed: 6000, windowMs: 60 * 1000 }
/** The identity token contains the path, and servers limit the size of all headers together. */
const MAX_PATH_LENGTH = 4096

const ROUTES = LENDER_PATHS.flatMap((path) => [path, `${path}/*`])

interface LenderApplicationDeps {
  readonly config: Pick<Config, 'lenderAppUrl' | 'proxiesLenderApp'>
  readonly identityToken: (
    visitor: Visitor,
    session: OpenSession,
    request: { readonly audience: string; readonly method: string; readonly path: string },
  ) => string
}

export function lenderApplication(edge: Edge, deps: LenderApplicationDeps): void {
  const { lenderAppUrl, proxiesLenderApp } = deps.config
  if (lenderAppUrl !== undefined && proxiesLenderApp) return proxy(edge, lenderAppUrl, deps)
  for (const path of ROUTES) {
    edge.app.get(path, async (request, reply) => {
      if (lenderAppUrl !== undefined) return reply.redirect(new URL(request.url, lenderAppUrl).href)
      return sendMissingPage(reply, edge.visitor(request, reply).organization)
    })
  }
}

function sendMissingPage(
  reply: FastifyReply,
  { companyInfo }: Visitor['organization'],
): FastifyReply {
  return sendPlainPage(reply, {
    title: companyInfo.name,
    heading: 'This page is not available here',
    html: `<p>It is part of another application of ${escapeHtml(companyInfo.name)}. Please contact us for help.</p>
<p><a href="/auth/login">Go to the login page</a></p>
<p>${supportSentence(companyInfo)}</p>
${referenceOf(reply)}`,
  })
}

function proxy(
  { app, visitor: visitorOf, sessions, rateLimit }: Edge,
  lenderAppUrl: string,
  { identityToken }: LenderApplicationDeps,
): void {
  const applicationOrigin = new URL(lenderAppUrl).origin
  const send = requestsTo(lenderAppUrl)

  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const visitor = visitorOf(request, reply)
    await enforceRateLimit(rateLimit, `lender application ${visitor.network}`, RATE_LIMIT)
    const { method, url: path } = request
    if (path.length > MAX_PATH_LENGTH || !hasNoTraversal(path)) throw new Refusal('invalid-request')
    const { origin } = visitor
    // Another site can make the browser send the cookie, so a cross-site request is not identified.
    const cookie = isSameOrigin(request, origin) ? visitor.sessionCookie : undefined
    const session = await sessions.ofCookie(cookie)
    const isViewed = session?.operator !== undefined
    const isIdentified = session !== undefined && !(session.passwordExpired && session.hasPassword)
    if (isIdentified) await sessions.extend(session)
    const token = isIdentified
      ? identityToken(visitor, session, { audience: applicationOrigin, method, path })
      : undefined
    const forwarding = { origin, address: request.ip, identityToken: token, isViewed }
    const forward = () => send(request, reply, requestHeaders(request.headers, forwarding))
    const response = await traced('outgoing call', forward, SPAN_KINDS.client)
    const { statusCode: status = 0, headers } = response
    if (status > 599) throw new Refusal('application-not-available')
    // Otherwise the connection would wait for the rest of the body.
    if (!request.raw.complete) void reply.header('connection', 'close')
    return reply
      .code(status)
      .headers(responseHeaders(headers, { origin, applicationOrigin, isIdentified, isViewed }))
      .send(response)
  }

  void app.register(async (scope) => {
    // Bodies are forwarded unread.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    for (const url of ROUTES) {
      scope.route({
        method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
        url,
        handler: handle,
      })
    }
  })
}
