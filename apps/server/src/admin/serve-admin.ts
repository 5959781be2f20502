/**
 * Binds admin API calls to their use cases. The common checks are here: the operator, the call's permission, idle timeout
 * and step-up. A use case limits its queries to `operator.scopeOf(permission)`.
 */
import type { ApprovalNeeded } from '@portico/contracts/admin/second-operator'
import type { Call, Parsed } from '@portico/contracts/call'
import { type ErrorCode, Refusal } from '@portico/contracts/errors'
import { IDEMPOTENCY_HEADER } from '@portico/contracts/limits'
import type { OperatorAccess } from '@portico/rules/operator-access'
import { isEmpty } from '@portico/rules/operator-permissions'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { setCaller } from '../audit/note-refusals.ts'
import type { Clock } from '../clock.ts'
import {
  type Answer,
  admitRequest,
  authenticate,
  bindAnswer,
  bindDownload,
  type Download,
  type Edge,
  parseInput,
  type RateLimitRule,
} from '../http/serve.ts'
import { bearerToken, type Visitor } from '../http/visitor.ts'
import type { ActRequests, ActSubject } from './act-requests/act-requests.ts'
import type { Once } from './idempotency.ts'
import {
  type Operator,
  type Operators,
  type Principal,
  SERVICE_TOKEN_PREFIX,
} from './operators/operators.ts'

export type { Operator } from './operators/operators.ts'

export interface AdminEdge extends Edge {
  readonly operators: Operators
  readonly once: Once
  readonly actRequests: ActRequests
  readonly clock: Clock
}

/** The input of an admin API use case. */
export interface AdminExchange<C extends Call> {
  readonly body: Parsed<C['body']>
  readonly query: Parsed<C['query']>
  readonly visitor: Visitor
  readonly operator: Operator
}

/** A declared admin API call. */
type OperatorCall = Call & { readonly auth: 'operator' }

/** A call that never waits for a second operator. */
type ImmediateCall = OperatorCall & { readonly accepted: undefined }

/** A call for which a deployment can require a second operator. */
type ApprovableCall = OperatorCall & { readonly accepted: typeof ApprovalNeeded }

interface Act<C extends ApprovableCall> {
  /**
   * Checks the act without performing it. Returns its subject, or the response of `perform` if that would report a failure.
   *
   * @throws Refusal - like `perform`
   */
  readonly check: (
    body: Parsed<C['body']>,
    operator: Operator,
  ) => Promise<ActSubject | { readonly answer: Answer<C> }>
  readonly perform: (exchange: AdminExchange<C>) => Promise<Answer<C>>
}

/** Serves an act. If it needs a second operator, it is only checked now and performed on approval. */
export function serveAct<C extends ApprovableCall>(
  edge: AdminEdge,
  call: C,
  { check, perform }: Act<C>,
): void {
  const { actRequests } = edge
  // `actRequests` parses bodies with the call's schema, and acts have no queries.
  actRequests.add(call, {
    check: (body, operator) => check(body as Parsed<C['body']>, operator),
    perform: (exchange) => perform(exchange as AdminExchange<C>),
  })
  serveAnswer(edge, call, async (exchange) => {
    if (!actRequests.isNeeded(call.name)) return perform(exchange)
    const { body, ...by } = exchange
    const checked = await check(body, by.operator)
    if ('answer' in checked) return checked.answer
    // Every act has a body with a reason.
    const request = { call, body: body as { reason: string }, subject: checked }
    return (await actRequests.submit(request, by)) as Parsed<C['accepted']>
  })
}

/**
 * Serves a call to operators who have its permission for at least one organization, or to all operators if it requires none.
 */
export function serveAdmin<C extends ImmediateCall>(
  edge: AdminEdge,
  call: C,
  useCase: (exchange: AdminExchange<C>) => Promise<Answer<C>>,
  rule?: RateLimitRule,
): void {
  serveAnswer(edge, call, useCase, rule)
}

function serveAnswer<C extends OperatorCall>(
  edge: AdminEdge,
  call: C,
  useCase: (exchange: AdminExchange<C>) => Promise<Answer<C> | Parsed<C['accepted']>>,
  rule?: RateLimitRule,
): void {
  bindAnswer(edge, call, async (request, reply) => {
    const exchange = await adminExchange(edge, call, { request, reply, rule })
    const key = request.headers[IDEMPOTENCY_HEADER]
    if (call.method === 'GET' || typeof key !== 'string') return useCase(exchange)
    const { operator, query, body } = exchange
    const input = query === undefined ? body : { query, body }
    const write = { operatorId: operator.id, key, call: call.name, input }
    return edge.once(write, () => useCase(exchange))
  })
}

/** Like `serveAdmin`, for a call that returns a file, such as an export. */
export function serveAdminDownload<C extends OperatorCall>(
  edge: AdminEdge,
  call: C,
  useCase: (exchange: AdminExchange<C>) => Promise<Download>,
  rule?: RateLimitRule,
): void {
  bindDownload(edge, call, async (request, reply) =>
    useCase(await adminExchange(edge, call, { request, reply, rule })),
  )
}

interface FastifyExchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** The caller of a request, with or without access. */
export async function principalOf(
  edge: AdminEdge,
  { request, reply }: FastifyExchange,
  visitor: Visitor,
): Promise<Principal> {
  const token = bearerToken(request)
  if (token?.startsWith(SERVICE_TOKEN_PREFIX)) return edge.operators.ofToken(token)
  return edge.operators.ofSession(
    await authenticate(edge, request, reply, { visitor, auth: 'session' }),
  )
}

const ACCESS_REFUSALS: Readonly<Record<Exclude<OperatorAccess, 'granted'>, ErrorCode>> = {
  'no-grant': 'not-permitted',
  'second-factor-missing': 'second-factor-missing',
  idle: 'operator-idle',
}

async function adminExchange<C extends OperatorCall>(
  edge: AdminEdge,
  call: C,
  { rule, ...received }: FastifyExchange & { rule: RateLimitRule | undefined },
): Promise<AdminExchange<C>> {
  const visitor = await admitRequest(edge, call, { ...received, rule })
  const principal = await principalOf(edge, received, visitor)
  const { operator, access, confirmedUntil } = principal
  setCaller(received.request, { operatorId: operator.id })
  if (access !== 'granted') throw new Refusal(ACCESS_REFUSALS[access])
  await principal.recordUse()
  const { permission } = call
  if (permission !== undefined && isEmpty(operator.scopeOf(permission)))
    throw new Refusal('not-permitted')
  if (call.stepUp && confirmedUntil === null) throw new Refusal('confirmation-needed')
  const { request } = received
  return {
    body: parseInput(call.body, request.body) as Parsed<C['body']>,
    query: parseInput(call.query, request.query) as Parsed<C['query']>,
    visitor,
    operator,
  }
}
