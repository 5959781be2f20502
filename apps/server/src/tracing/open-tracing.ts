import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Config } from '../config.ts'
import { openSampler } from './sampling.ts'
import { openSpanExporter } from './span-exporter.ts'
import { startRequest, traceHandlers } from './trace-requests.ts'
import type { StartTrace } from './tracing.ts'

interface Tracing {
  /** Called when a request arrives; undefined if nothing is traced. */
  readonly startRequest: ((request: FastifyRequest, reply: FastifyReply) => void) | undefined
  readonly traceHandlers: (app: FastifyInstance) => void
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
      startRequest: undefined,
      traceHandlers: () => undefined,
      startTrace: (_name, work) => work(),
      stop: async () => undefined,
    }
  }
  const { url, headers, ratio } = tracing
  const exporter = openSpanExporter({ url, headers, version, registry, log })
  const sampler = openSampler({ ratio, record: exporter.record })
  return {
    startRequest: (request, reply) => startRequest(sampler, request, reply),
    traceHandlers,
    startTrace: sampler.startTrace,
    stop: exporter.stop,
  }
}
