/**
 * Binds declared calls to their use cases. All checks before a use case (origin, rate limit, session, schema) are here;
 * a use case receives parsed input and returns a value.
 */
import type { Call, Parsed, Schema } from '@portico/contracts/call'
import { Refusal } from '@portico/contracts/errors'
import { BEARER_PREFIX } from '@portico/contracts/storage-keys'
import { STORED_JWT_HEADER } from '@portico/contracts/wallet'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { RateLimit } from '../limits/rate-limit.ts'
import type { OpenSession, Sessions } from '../sessions/sessions.ts'
import type { Tracker, TrackerOf } from '../tracker/tracker.ts'
import { assertSameOrigin } from './csrf.ts'
import { inputErrors } from './input-errors.ts'
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
}

/** Serves a declared call. */
export function serve<C extends Call>(
  edge: Edge,
  call: C,
  useCase: (
    exchange: Exchange<C>,
  ) => Promise<C['answer'] extends Schema ? Parsed<C['answer']> : void>,
  rule: RateLimitRule = DEFAULT_RATE_LIMIT,
): void {
  let answerSchema: C['answer']
  edge.app.route({
    method: call.method,
    url: call.path,
    ...(call.bodyBytesMaximum === undefined ? {} : { bodyLimit: call.bodyBytesMaximum }),
    handler: async (request, reply) => {
      const visitor = edge.visitor(request, reply)
      if (call.origins === 'any') void reply.headers(ANY_ORIGIN_HEADERS)
      else assertSameOrigin(request, visitor.origin)
      await enforceRateLimit(edge.rateLimit, `${call.name} ${visitor.network}`, rule)
      const session =
        call.auth === 'session' || call.auth === 'wallet'
          ? await authenticate(edge, request, reply, { visitor, auth: call.auth })
          : undefined
      const answer = await useCase({
        body: parseInput(call.body, request.body) as Parsed<C['body']>,
        query: parseInput(call.query, request.query) as Parsed<C['query']>,
        visitor,
        headers: request.headers,
        tracker: () => edge.trackerOf(request, reply),
        session: session as Exchange<C>['session'],
      })
      void reply.header('cache-control', 'no-store')
      if (call.answer === undefined) return reply.code(204).send()
      // Compiled on the first response because compiling takes milliseconds; it makes each check ten times faster.
      answerSchema ??= z.compile(call.answer)
      // A response that violates its contract is a defect and must not be sent.
      return reply.send(answerSchema.parse(answer))
    },
  })
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

async function authenticate(
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
  return session
}

function parseInput(schema: Call['body'], value: unknown): unknown {
  if (schema === undefined) return undefined
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new Refusal('invalid-request', { errors: inputErrors(result.error.issues) })
}
