/**
 * Binds declared calls to their use cases. A use case receives parsed input and answers with a value; everything a
 * request must pass first (origin, rate, schema, session) is here, once.
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

/** What a use case is given. */
export interface Exchange<C extends Call> {
  readonly body: Parsed<C['body']>
  readonly query: Parsed<C['query']>
  readonly visitor: Visitor
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The visitor's tracker, kept in the browser from now on; undefined where tracking is refused. */
  readonly tracker: () => Tracker | undefined
  /** Present for calls that need a session, and only for those. */
  readonly session: C['auth'] extends 'session' | 'wallet' ? OpenSession : undefined
}

/** How many requests of one network a call takes in a window. */
export interface RateLimitRule {
  readonly allowed: number
  readonly windowMs: number
}

const MINUTE_MS = 60_000
const ORDINARY_PACE: RateLimitRule = { allowed: 600, windowMs: MINUTE_MS }

/** Headers of an answer that any page may read. */
const OPEN_TO_ALL = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

/** What binding needs. */
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
  pace: RateLimitRule = ORDINARY_PACE,
): void {
  let answerOf: C['answer']
  edge.app.route({
    method: call.method,
    url: call.path,
    handler: async (request, reply) => {
      const visitor = edge.visitor(request, reply)
      if (call.origins === 'any') void reply.headers(OPEN_TO_ALL)
      else assertSameOrigin(request, visitor.origin)
      await enforceRateLimit(edge.rateLimit, `${call.name} ${visitor.network}`, pace)
      const session =
        call.auth === 'session' || call.auth === 'wallet'
          ? await authenticate(edge, request, reply, { visitor, auth: call.auth })
          : undefined
      const answer = await useCase({
        body: parsed(call.body, request.body) as Parsed<C['body']>,
        query: parsed(call.query, request.query) as Parsed<C['query']>,
        visitor,
        headers: request.headers,
        tracker: () => edge.trackerOf(request, reply),
        session: session as Exchange<C>['session'],
      })
      void reply.header('cache-control', 'no-store')
      if (call.answer === undefined) return reply.code(204).send()
      // With the first answer, because it takes milliseconds; from then on checking takes a tenth.
      answerOf ??= z.compile(call.answer)
      // An answer that breaks its own contract is a defect and must not leave.
      return reply.send(answerOf.parse(answer))
    },
  })
}

/** Lets a request pass, or refuses it where its network asks too often. */
export async function enforceRateLimit(
  rateLimit: RateLimit,
  key: string,
  pace: RateLimitRule,
  cost = 1,
): Promise<void> {
  const { allowed, retryAfterS } = await rateLimit.take(key, pace.allowed, pace.windowMs, cost)
  if (!allowed) throw new Refusal('too-many-requests', { retryAfterS })
}

async function authenticate(
  { sessions }: Edge,
  request: FastifyRequest,
  reply: FastifyReply,
  { visitor, auth }: { visitor: Visitor; auth: 'session' | 'wallet' },
): Promise<OpenSession> {
  // Where the authorization header carries the wallet's token, the stored one stands beside it (§7.4).
  const header = auth === 'wallet' ? request.headers[STORED_JWT_HEADER] : undefined
  const token = auth === 'wallet' ? bearerText(header) : bearerToken(request)
  const { session, renewed } = await sessions.authenticate(token, visitor.sessionCookie)
  if (renewed !== undefined) void reply.header('authorization', `${BEARER_PREFIX}${renewed}`)
  return session
}

function parsed(schema: Call['body'], value: unknown): unknown {
  if (schema === undefined) return undefined
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new Refusal('invalid-request', { errors: inputErrors(result.error.issues) })
}
