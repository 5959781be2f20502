import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Config } from '../config.ts'
import { openSampler } from './sampling.ts'
import { openSpanExporter } from './span-exporter.ts'
import { traceRequests } from './trace-requests.ts'
import type { StartTrace } from './tracing.ts'

interface Tracing {
  readonly traceRequests: (app: FastifyInstance) => void
  readonly startTrace: StartTrace
  readonly stop: () => Promise<void>
}

/** Traces a sample of the work if a collector is configured. */
export function openTracing(
  { tracing, version }: Pick<Config, 'tracing' | 'version'>,
  registry: Registry,
  log: Logger,
): Tracing {
  if (tracing === undefined) {
    return {
      traceRequests: () => undefined,
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
