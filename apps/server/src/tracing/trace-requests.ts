import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RequestContext, Sampler } from './sampling.ts'
import { inTrace, SPAN_KINDS, traceTime } from './tracing.ts'

/** Where a request keeps its trace. A map would cost more than the rest of an unrecorded trace. */
const TRACE = Symbol('trace')

interface RequestTrace {
  readonly context: RequestContext
  readonly startedAt: number
}

declare module 'fastify' {
  interface FastifyRequest {
    [TRACE]: RequestTrace | undefined
  }
}

/**
 * Records a span for each sampled request, and runs the request in its context.
 *
 * @returns the ID of the trace of a request
 */
export function traceRequests(
  app: FastifyInstance,
  sampler: Sampler,
): (request: FastifyRequest) => string | undefined {
  app.decorateRequest(TRACE, undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers
    const context = sampler.ofRequest(traceparent?.toString())
    if (context === undefined) return done()
    request[TRACE] = { context, startedAt: traceTime() }
    inTrace(context, done)
  })
  // What parses a body runs outside the context.
  app.addHook('preValidation', (request, _reply, done) => {
    const trace = request[TRACE]
    if (trace === undefined) done()
    else inTrace(trace.context, done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const trace = request[TRACE]
    if (trace?.context.record !== undefined) {
      const { record, ...ids } = trace.context
      const { method, routeOptions } = request
      const route = routeOptions.url ?? 'none'
      record({
        ...ids,
        name: `${method} ${route}`,
        kind: SPAN_KINDS.server,
        startedAt: trace.startedAt,
        endedAt: traceTime(),
        attributes: {
          'http.request.method': method,
          'http.route': route,
          'http.response.status_code': reply.statusCode,
        },
        failed: reply.statusCode >= 500,
      })
    }
    done()
  })
  return (request) => request[TRACE]?.context.traceId
}
