import type { FastifyInstance } from 'fastify'

/** Logs each answer as an event. The route's pattern stands for the address, which may carry what no log may hold. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const [, traceId] =
      /^00-([0-9a-f]{32})-/.exec(request.headers.traceparent?.toString() ?? '') ?? []
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
        ...(traceId === undefined ? {} : { traceId }),
      },
      'request',
    )
    done()
  })
}
