/**
 * Traces a sample of requests, following the conventions of OpenTelemetry and W3C Trace Context. A span is recorded only
 * inside a trace, so other requests cost only a comparison. Names and attributes contain nothing from a request but its
 * method and route.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { FastifyRequest } from 'fastify'

/** Span kinds, as numbered by OTLP. */
export const SPAN_KINDS = { internal: 1, server: 2, client: 3 } as const

export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | undefined
  readonly name: string
  readonly kind: (typeof SPAN_KINDS)[keyof typeof SPAN_KINDS]
  /** In epoch milliseconds. */
  readonly startedAt: number
  readonly endedAt: number
  readonly attributes: Readonly<Record<string, string | number>>
  readonly failed: boolean
}

export type RecordSpan = (span: Span) => void

/** The current position in a sampled trace. */
export interface TraceContext {
  readonly traceId: string
  /** Undefined before the first span. */
  readonly spanId: string | undefined
  readonly record: RecordSpan
}

export interface RequestContext extends TraceContext {
  readonly spanId: string
  readonly parentId: string | undefined
}

/** The request property with its trace. Only sampled requests have it, so that the others need not be initialized. */
export const TRACE = Symbol('trace')

declare module 'fastify' {
  interface FastifyRequest {
    [TRACE]?: RequestContext
  }
}

/** The header of W3C Trace Context, level 1. IDs of zeros only are invalid. */
export const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

/** A request's trace ID for its log lines, even if the trace is not sampled or tracing is off. */
export function traceIdOf(request: FastifyRequest): string | undefined {
  const { traceparent } = request.headers
  return request[TRACE]?.traceId ?? TRACEPARENT.exec(traceparent?.toString() ?? '')?.[1]
}

/** Runs work outside requests in its own trace, if sampled. */
export type StartTrace = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>

const contexts = new AsyncLocalStorage<TraceContext>()

export const inTrace = <Result>(context: TraceContext, work: () => Result): Result =>
  contexts.run(context, work)

export const newTraceId = (): string => randomBytes(16).toString('hex')
export const newSpanId = (): string => randomBytes(8).toString('hex')

/** The time in epoch milliseconds, with microseconds. */
export const traceTime = (): number => performance.timeOrigin + performance.now()

/** The ID of the trace of the current request. */
export const currentTraceId = (): string | undefined => contexts.getStore()?.traceId

/** The header that propagates the current trace to a server that the operator names. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const context = contexts.getStore()
  if (context?.spanId === undefined) return {}
  return { traceparent: `00-${context.traceId}-${context.spanId}-01` }
}

/** `fetch`, recorded as a span. */
export const tracedFetch = (url: string | URL, init: RequestInit): Promise<Response> =>
  traced('outgoing call', () => fetch(url, init), SPAN_KINDS.client)

/** Runs `work` and, inside a sampled trace, records it as a span. */
export async function traced<Result>(
  name: string,
  work: () => Promise<Result>,
  kind: Span['kind'] = SPAN_KINDS.internal,
): Promise<Result> {
  const parent = contexts.getStore()
  if (parent === undefined) return work()
  const { traceId, spanId: parentId, record } = parent
  const spanId = newSpanId()
  const startedAt = traceTime()
  const end = (failed: boolean) =>
    record({
      traceId,
      spanId,
      parentId,
      name,
      kind,
      startedAt,
      endedAt: traceTime(),
      attributes: {},
      failed,
    })
  try {
    const result = await contexts.run({ traceId, spanId, record }, work)
    end(false)
    return result
  } catch (error) {
    end(true)
    throw error
  }
}
