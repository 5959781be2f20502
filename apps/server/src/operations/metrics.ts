import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** Counts and times requests by route and status for Prometheus. */
export function measure(app: FastifyInstance): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'portico_http_requests_total',
    help: 'Requests answered.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const duration = new Histogram({
    name: 'portico_http_request_duration_seconds',
    help: 'Time from request to response.',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [registry],
  })
  // Cached because there are few combinations and looking up their series for each request is slow.
  const cache = new Map<string, { count: Counter.Internal; time: Histogram.Internal<'route'> }>()
  app.addHook('onResponse', (request, reply, done) => {
    // The route's pattern and never the URL, which may contain personal data and has unlimited values.
    const route = request.routeOptions.url ?? 'none'
    const name = `${request.method} ${reply.statusCode} ${route}`
    let series = cache.get(name)
    if (series === undefined) {
      series = {
        count: requests.labels({ method: request.method, route, status: reply.statusCode }),
        time: duration.labels({ route }),
      }
      cache.set(name, series)
    }
    series.count.inc()
    series.time.observe(reply.elapsedTime / 1000)
    done()
  })
  return registry
}
