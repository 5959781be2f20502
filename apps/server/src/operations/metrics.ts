import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client'
import { PASSWORD_HASH_METRICS } from '../secrets/password-hash.ts'

/** Metrics of the process and of the services it needs to be ready. */
export function processMetrics(
  registry: Registry,
  deps: {
    readonly version: string
    readonly databaseReady: () => Promise<boolean>
    /** Undefined without Redis. */
    readonly redisReady: (() => Promise<boolean>) | undefined
  },
): void {
  collectDefaultMetrics({ register: registry })
  for (const metric of PASSWORD_HASH_METRICS) registry.registerMetric(metric)
  const registers = [registry]
  new Gauge({
    name: 'portico_build_info',
    help: 'Always 1. The label is the version.',
    labelNames: ['version'],
    registers,
  }).set({ version: deps.version }, 1)
  void new Gauge({
    name: 'portico_up',
    help: 'Whether the database accepts writes, and whether Redis, if configured, responds.',
    labelNames: ['service'],
    registers,
    async collect() {
      this.set({ service: 'database' }, (await deps.databaseReady()) ? 1 : 0)
      if (deps.redisReady === undefined) return
      this.set({ service: 'redis' }, (await deps.redisReady()) ? 1 : 0)
    },
  })
}

/** Counts and times requests by route and status. */
export function requestMetrics(app: FastifyInstance, registry: Registry): void {
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
}
