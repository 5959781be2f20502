import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Sampler } from './sampling.ts'
import { inTrace, type RequestContext, SPAN_KINDS, TRACE, traceTime } from './tracing.ts'

/** Begins the trace of a request that has just arrived, if it is sampled. */
export function startRequest(sampler: Sampler, request: FastifyRequest, reply: FastifyReply): void {
  // Node joins the values of a repeated header, so there is one.
  const traceparent = request.raw.headers['traceparent'] as string | undefined
  const context = sampler.ofRequest(traceparent)
  if (context === undefined) return
  request[TRACE] = context
  recordRequest(request, reply, context)
}

/** Runs the handlers of traced requests in their context, which body parsing would lose if a hook set it. */
export function traceHandlers(app: FastifyInstance): void {
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
