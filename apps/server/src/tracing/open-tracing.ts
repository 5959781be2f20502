import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Config } from '../config.ts'
import { openSampler, traceIdIn } from './sampling.ts'
import { openSpanExporter } from './span-exporter.ts'
import { traceRequests } from './trace-requests.ts'
import type { StartTrace } from './tracing.ts'

interface Tracing {
  /** Traces the requests of a server. Returns the ID of the trace of a request. */
  readonly traceRequests: (app: FastifyInstance) => (request: FastifyRequest) => string | undefined
  readonly startTrace: StartTrace
  readonly stop: () => Promise<void>
}

/** Traces a share of the work, if a collector is configured. */
export function openTracing(
  { tracing, version }: Pick<Config, 'tracing' | 'version'>,
  registry: Registry,
  log: Logger,
): Tracing {
  if (tracing === undefined) {
    return {
      traceRequests: () => (request) => traceIdIn(request.headers['traceparent']?.toString()),
      startTrace: (_name, work) => work(),
      stop: async () => undefined,
    }
  }
  const { url, headers, ratio } = tracing
  const exporter = openSpanExporter({ url, headers, version, registry, log })
  const sampler = openSampler({ ratio, record: exporter.record })
  return {
    traceRequests: (app) => traceRequests(app, sampler),
    startTrace: sampler.startTrace,
    stop: exporter.stop,
  }
}
