/**
 * Binds declared calls to their use cases. All checks before a use case (origin, rate limit, session, schema) are here;
 * a use case receives parsed input and returns a value.
 */
import { Readable } from 'node:stream'
import { Bytes, type Call, type Parsed, type Schema } from '@portico/contracts/call'
import { Refusal } from '@portico/contracts/errors'
import { BEARER_PREFIX } from '@portico/contracts/storage-keys'
import { STORED_JWT_HEADER } from '@portico/contracts/wallet'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import * as z from 'zod/mini'
import type { BoundedAudit } from '../audit/bounded-audit.ts'
import { setCaller } from '../audit/note-refusals.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import type { OpenSession, Sessions } from '../sessions/sessions.ts'
import type { Tracker, TrackerOf } from '../tracker/tracker.ts'
import { assertSameOrigin } from './csrf.ts'
import { inputErrors } from './input-errors.ts'
import { contentSecurityPolicy } from './security-headers.ts'
import { bearerText, bearerToken, type Visitor } from './visitor.ts'

/** The input of a use case. */
export interface Exchange<C extends Call> {
  readonly body: Parsed<C['body']>
  readonly query: Parsed<C['query']>
  readonly visitor: Visitor
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The visitor's tracker, which also sets its cookie; undefined if tracking is refused. */
  readonly tracker: () => Tracker | undefined
  /** Present only for calls that require a session. */
  readonly session: C['auth'] extends 'session' | 'wallet' ? OpenSession : undefined
}

/** How many requests to a call one network may make per window. */
export interface RateLimitRule {
  readonly allowed: number
  readonly windowMs: number
}

const MINUTE_MS = 60_000
const DEFAULT_RATE_LIMIT: RateLimitRule = { allowed: 600, windowMs: MINUTE_MS }

/** Headers of a response that pages of any origin may read. */
const ANY_ORIGIN_HEADERS = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

export interface Edge {
  readonly app: FastifyInstance
  readonly visitor: (request: FastifyRequest, reply: FastifyReply) => Visitor
  readonly sessions: Sessions
  readonly rateLimit: RateLimit
  readonly trackerOf: TrackerOf
  readonly boundedAudit: BoundedAudit
}

/** What the use case of a call returns. */
export type Answer<C extends Call> = C['answer'] extends Schema ? Parsed<C['answer']> : void

/** Serves a declared call. */
export function serve<C extends Call>(
  edge: Edge,
  call: C,
  useCase: (exchange: Exchange<C>) => Promise<Answer<C>>,
  rule: RateLimitRule = DEFAULT_RATE_LIMIT,
): void {
  bindAnswer(edge, call, async (request, reply) =>
    useCase(await exchangeOf(edge, call, { request, reply, rule })),
  )
}

/** Sends the result of `answerOf` as the call's response. */
export function bindAnswer<C extends Call>(
  edge: Edge,
  call: C,
  answerOf: (
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<Answer<C> | Parsed<C['accepted']>>,
): void {
  let answerSchema: C['answer']
  bind(edge, call, async (request, reply) => {
    const answer = await answerOf(request, reply)
    void reply.header('cache-control', 'no-store')
    if (call.answer === undefined) return reply.code(204).send()
    const accepted = call.accepted?.safeParse(answer)
    if (accepted?.success) return reply.code(202).send(accepted.data)
    // Compiled on the first response because compiling takes milliseconds; it makes each check ten times faster.
    answerSchema ??= z.compile(call.answer)
    // A response that violates its contract is a bug and must not be sent.
    return reply.send(answerSchema.parse(answer))
  })
}

/** A file to download. */
export interface Download {
  readonly name: string
  readonly type: string
  /** Absent if it is not known in advance. */
  readonly bytes?: number
  readonly content: AsyncIterable<Uint8Array>
}

/** Serves a declared call that returns a file. */
export function serveDownload<C extends Call>(
  edge: Edge,
  call: C,
  useCase: (exchange: Exchange<C>) => Promise<Download>,
  rule: RateLimitRule = DEFAULT_RATE_LIMIT,
): void {
  bindDownload(edge, call, async (request, reply) =>
    useCase(await exchangeOf(edge, call, { request, reply, rule })),
  )
}

/**
 * Sends the result of `fileOf` as a file. Users may have uploaded it, so browsers must never show it as one of our pages,
 * even without the common headers: it is always downloaded, never sniffed as another type, and sandboxed.
 */
export function bindDownload(
  edge: Edge,
  call: Call,
  fileOf: (request: FastifyRequest, reply: FastifyReply) => Promise<Download>,
): void {
  bind(edge, call, async (request, reply) => {
    const file = await fileOf(request, reply)
    return reply
      .headers({
        'cache-control': 'no-store',
        'content-disposition': `attachment; filename*=UTF-8''${encodeFileName(file.name)}`,
        ...(file.bytes === undefined ? {} : { 'content-length': file.bytes }),
        'content-security-policy': contentSecurityPolicy({ sandbox: '' }),
        'content-type': file.type,
      })
      .send(Readable.from(file.content))
  })
}

/** Encodes all characters except those that RFC 8187 allows. */
const encodeFileName = (name: string) =>
  encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  )

/** Only calls declared with a binary body accept bytes; all others accept only JSON. */
function bind(edge: Edge, call: Call, handler: RouteHandlerMethod): void {
  const { bodyBytesMaximum: bodyLimit } = call
  const impersonation = call.auth === 'operator' ? ('own' as const) : call.impersonation
  const route = {
    method: call.method,
    url: call.path,
    handler,
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    config: { call, ...(impersonation === undefined ? {} : { impersonation }) },
  }
  if (call.body !== Bytes) {
    edge.app.route(route)
    return
  }
  void edge.app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer' },
      (_request, body, done) => done(null, body),
    )
    scope.route(route)
  })
}

/** Checks a request and parses its input. */
async function exchangeOf<C extends Call>(
  edge: Edge,
  call: C,
  { request, reply, rule }: { request: FastifyRequest; reply: FastifyReply; rule: RateLimitRule },
): Promise<Exchange<C>> {
  const visitor = await admitRequest(edge, call, { request, reply, rule })
  const session =
    call.auth === 'session' || call.auth === 'wallet'
      ? await authenticate(edge, request, reply, { visitor, auth: call.auth })
      : undefined
  return {
    body: parseInput(call.body, request.body) as Parsed<C['body']>,
    query: parseInput(call.query, request.query) as Parsed<C['query']>,
    visitor,
    headers: request.headers,
    tracker: () => edge.trackerOf(request, reply),
    session: session as Exchange<C>['session'],
  }
}

/** Returns a request's visitor after checking its origin and rate limit. */
export async function admitRequest(
  edge: Edge,
  call: Call,
  {
    request,
    reply,
    rule = DEFAULT_RATE_LIMIT,
  }: { request: FastifyRequest; reply: FastifyReply; rule?: RateLimitRule | undefined },
): Promise<Visitor> {
  const visitor = edge.visitor(request, reply)
  if (call.origins === 'any') void reply.headers(ANY_ORIGIN_HEADERS)
  else assertSameOrigin(request, visitor.origin)
  await enforceRateLimit(edge.rateLimit, `${call.name} ${visitor.network}`, rule)
  return visitor
}

/** @throws Refusal - `too-many-requests` when the key has exceeded its limit */
export async function enforceRateLimit(
  rateLimit: RateLimit,
  key: string,
  rule: RateLimitRule,
  cost = 1,
): Promise<void> {
  const { allowed, retryAfterS } = await rateLimit.take(key, rule.allowed, rule.windowMs, cost)
  if (!allowed) throw new Refusal('too-many-requests', { retryAfterS })
}

/** Returns a request's session and adds a renewed token to the response. */
export async function authenticate(
  { sessions }: Edge,
  request: FastifyRequest,
  reply: FastifyReply,
  { visitor, auth }: { visitor: Visitor; auth: 'session' | 'wallet' },
): Promise<OpenSession> {
  // Wallet calls send the wallet's token in the authorization header and the session token in a separate one (§7.4).
  const header = auth === 'wallet' ? request.headers[STORED_JWT_HEADER] : undefined
  const token = auth === 'wallet' ? bearerText(header) : bearerToken(request)
  const { session, renewed } = await sessions.authenticate(token, visitor.sessionCookie)
  if (renewed !== undefined) void reply.header('authorization', `${BEARER_PREFIX}${renewed}`)
  setCaller(request, { identityId: session.identityId })
  return session
}

/** @throws Refusal - `invalid-request` */
export function parseInput(schema: Call['body'], value: unknown): unknown {
  if (schema === undefined) return undefined
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new Refusal('invalid-request', { errors: inputErrors(result.error.issues) })
}
