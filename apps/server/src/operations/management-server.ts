import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { handleErrors } from '../http/error-responses.ts'
import { httpServer } from '../http/http-server.ts'
import { type HealthDeps, healthRoutes, metricsRoute } from './operations.routes.ts'

/** The server of the management port: health, readiness and metrics for the operator's own network. */
export function managementServer(
  deps: HealthDeps & {
    readonly metrics: Registry
    readonly supportOf: Parameters<typeof handleErrors>[1]
    readonly log: Logger
  },
): FastifyInstance {
  const app = httpServer({ log: deps.log, isTrusted: undefined, publicUrl: undefined })
  handleErrors(app, deps.supportOf)
  healthRoutes(app, deps)
  metricsRoute(app, deps.metrics)
  return app
}
