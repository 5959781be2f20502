/** Records refusals that show an attack, of every route, and each refused call of the admin API. */
import type { Call } from '@portico/contracts/call'
import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import { type ErrorCode, Refusal } from '@portico/contracts/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { viewingOf } from '../http/viewing.ts'
import type { AuditSource } from './audit.store.ts'
import type { AuditKind } from './audit-events.ts'
import { type BoundedAudit, LockoutRefusal } from './bounded-audit.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The declared call that a route serves. */
    call?: Call
  }
}

/** Who sent a request, once it is authenticated. */
interface Caller {
  readonly identityId?: string
  readonly operatorId?: string
}

const callers = new WeakMap<FastifyRequest, Caller>()

/** Sets who sent a request, for the audit event if it is refused. */
export function setCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request, caller)
}

/** Of refused calls of the admin API. */
const OPERATOR_STATUSES: ReadonlySet<number> = new Set([401, 403, 404])

/** Codes of the other calls that our own pages do not cause. */
const ATTACK_CODES: ReadonlySet<ErrorCode> = new Set([
  'account-not-authorized',
  'approval-unproven',
  'setup-link-refused',
  'signed-nonce-refused',
  'user-type-refused',
  'wallet-token-refused',
])

/** Adds the record to all routes registered afterwards. */
export function noteRefusals(
  app: FastifyInstance,
  {
    visitor,
    boundedAudit,
  }: {
    readonly visitor: (request: FastifyRequest, reply: FastifyReply) => AuditSource
    readonly boundedAudit: BoundedAudit
  },
): void {
  app.addHook('onError', async (request, reply, error) => {
    if (!(error instanceof Refusal)) return
    const event = eventOf(error, request)
    if (event === undefined) return
    const { kind, ...details } = event
    const { call, url = '' } = { ...request.routeOptions.config, url: request.routeOptions.url }
    boundedAudit.noteRefusal(
      kind,
      {
        ...callers.get(request),
        ...viewingOf(request),
        details: { call: call?.name ?? url, ...details },
      },
      visitor(request, reply),
    )
  })
}

type NotedRefusal = { readonly kind: AuditKind } & Readonly<Record<string, string>>

function eventOf(refusal: Refusal, request: FastifyRequest): NotedRefusal | undefined {
  const { code: reason } = refusal
  if (refusal instanceof LockoutRefusal) {
    return { kind: 'lockout-refused', address: refusal.address }
  }
  if (reason === 'foreign-origin') {
    return { kind: 'foreign-origin-refused', origin: request.headers.origin ?? 'none' }
  }
  if (reason === 'impersonation-read-only') return { kind: 'viewing-refused' }
  const isOfOperator = request.routeOptions.config.call?.auth === 'operator'
  if (isOfOperator && OPERATOR_STATUSES.has(ERROR_CATALOG[reason].status)) {
    return { kind: 'operator-refused', reason }
  }
  if (reason === 'unauthenticated') return { kind: 'session-cookie-missing' }
  return ATTACK_CODES.has(reason) ? { kind: 'call-refused', reason } : undefined
}
