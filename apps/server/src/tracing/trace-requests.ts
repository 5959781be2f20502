import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Sampler } from './sampling.ts'
import { inTrace, type RequestContext, SPAN_KINDS, TRACE, traceTime } from './tracing.ts'

/**
 * Records a span for each sampled request and runs its handler in its context. Other requests cost one hook; each additional
 * hook would cost a hundredth of an empty request.
 */
export function traceRequests(app: FastifyInstance, sampler: Sampler): void {
  app.decorateRequest(TRACE, undefined)
  app.addHook('onRequest', (request, reply, done) => {
    const context = sampler.ofRequest(request.headers['traceparent']?.toString())
    if (context !== undefined) {
      request[TRACE] = context
      recordRequest(request, reply, context)
    }
    done()
  })
  // Not in the hook, because body parsing would lose the context.
  app.addHook('onRoute', (route) => {
    const { handler } = route
    route.handler = function (this: FastifyInstance, request, reply) {
      const context = request[TRACE]
      return context === undefined
        ? handler.call(this, request, reply)
        : inTrace(context, handler.bind(this, request, reply))
    }
  })
}

function recordRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  { record, ...ids }: RequestContext,
): void {
  const startedAt = traceTime()
  reply.raw.once('close', () => {
    const { method, routeOptions } = request
    const route = routeOptions.url ?? 'none'
    record({
      ...ids,
      name: `${method} ${route}`,
      kind: SPAN_KINDS.server,
      startedAt,
      endedAt: traceTime(),
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': reply.statusCode,
      },
      failed: reply.statusCode >= 500,
    })
  })
}
