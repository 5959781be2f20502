import { Refusal } from '@portico/contracts/errors'
import type { CompanyInfo } from '@portico/contracts/organization'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { contentSecurityPolicy, hashSource } from '../http/security-headers.ts'
import type { Tokens } from '../tokens/session-tokens.ts'
import { openApi } from './openapi.ts'
import { REFERENCE_STYLE, referencePage } from './reference-page.ts'

export interface HealthDeps {
  readonly version: string
  /** Whether the database accepts writes and Redis, if configured, responds. */
  readonly ready: () => Promise<boolean>
}

interface OperationsDeps extends HealthDeps {
  /** The path of the API reference as plain HTML. */
  readonly referencePath: string
  readonly tokens: Tokens
  readonly supportOf: () => Pick<CompanyInfo, 'supportEmail'>
  readonly clock: () => number
}

const YEAR_MS = 365 * 24 * 60 * 60 * 1000

export function healthRoutes(app: FastifyInstance, { version, ready }: HealthDeps): void {
  app.get('/healthz', () => ({ status: 'ok', version }))
  app.get('/readyz', async () => {
    if (!(await ready())) throw new Refusal('not-ready')
    return { status: 'ready' }
  })
}

export function metricsRoute(app: FastifyInstance, metrics: Registry): void {
  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.metrics()),
  )
}

/** Health, readiness, the API description, public keys and `security.txt`. */
export function operations(app: FastifyInstance, deps: OperationsDeps): void {
  const description = lazy(() => JSON.stringify(openApi(deps.version)))
  const reference = lazy(() => referencePage(deps.version))

  healthRoutes(app, deps)
  app.get('/openapi.json', (_request, reply) => reply.type('application/json').send(description()))
  app.get(deps.referencePath, (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        contentSecurityPolicy({ 'style-src': hashSource(REFERENCE_STYLE) }),
      )
      .send(reference()),
  )
  app.get('/.well-known/jwks.json', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send(deps.tokens.jwks),
  )
  app.get('/.well-known/security.txt', (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(
        `Contact: mailto:${deps.supportOf().supportEmail}\nExpires: ${new Date(deps.clock() + YEAR_MS).toISOString()}\nPreferred-Languages: en\n`,
      ),
  )
}

/** Defers a computation to its first use. Both descriptions take a tenth of a second, which would delay startup. */
function lazy(compute: () => string): () => string {
  let value: string | undefined
  return () => (value ??= compute())
}
