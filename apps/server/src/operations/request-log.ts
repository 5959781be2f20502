import type { FastifyInstance } from 'fastify'

/** Logs each response, with the route's pattern instead of the URL, which may contain personal data. */
export function logRequests(app: FastifyInstance): void {
  // A child logger per request would be a large part of its cost; the log lines contain the request id instead.
  app.setChildLoggerFactory((logger) => logger)
  // These lines contain nothing from the request but its method and trace id, so redaction is off: it would be the
  // largest cost of a line.
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
