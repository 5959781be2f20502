import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { handleErrors } from '../http/error-responses.ts'
import { httpServer } from '../http/http-server.ts'
import {
  type HealthDeps,
  healthRoutes,
  metricsRoute,
  referenceRoutes,
} from './operations.routes.ts'

/** The server of the management port, for the operator's own network: health, readiness, metrics and the API reference. */
export function managementServer(
  deps: HealthDeps & {
    readonly version: string
    readonly metrics: Registry
    readonly supportOf: Parameters<typeof handleErrors>[1]
    readonly log: Logger
  },
): FastifyInstance {
  const app = httpServer({ log: deps.log, isTrusted: undefined, publicUrl: undefined })
  handleErrors(app, deps.supportOf)
  healthRoutes(app, deps)
  metricsRoute(app, deps.metrics)
  referenceRoutes(app, { version: deps.version, path: '/docs' })
  return app
}
