import type { FastifyInstance } from 'fastify'

/** Logs each answer as an event. The route's pattern stands for the address, which may carry what no log may hold. */
export function logRequests(app: FastifyInstance): void {
  // A logger made for each request would be a large part of its cost; what is logged names the request itself.
  app.setChildLoggerFactory((logger) => logger)
  // Nothing of what is written here comes from the request but its method and a number, so nothing has to be sought
  // in it: looking for secrets in every line cost more than all else that a line costs.
  const plain = app.log.child({}, { redact: [] })
  app.addHook('onResponse', (request, reply, done) => {
    const { traceparent } = request.headers
    const traceId = traceparent && /^00-([0-9a-f]{32})-/.exec(traceparent.toString())?.[1]
    plain.info(
      {
        reqId: request.id,
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
