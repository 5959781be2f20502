import { Refusal } from '@portico/contracts/errors'
import type { CompanyInfo } from '@portico/contracts/organization'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { contentSecurityPolicy, hashSource } from '../http/security-headers.ts'
import type { Tokens } from '../tokens/session-tokens.ts'
import { openApi } from './openapi.ts'
import { REFERENCE_STYLE, referencePage } from './reference-page.ts'

export interface HealthDeps {
  /** Undefined where the public must not learn it. */
  readonly version: string | undefined
  /** Whether the database accepts writes. */
  readonly ready: () => Promise<boolean>
  /** Whether Redis, if configured, responds. A node without it serves everything except some wallet connections. */
  readonly relayReady: () => Promise<boolean>
}

interface OperationsDeps extends HealthDeps {
  readonly tokens: Tokens
  readonly supportOf: () => Pick<CompanyInfo, 'supportEmail'>
  readonly clock: () => number
}

const YEAR_MS = 365 * 24 * 60 * 60 * 1000

export function healthRoutes(
  app: FastifyInstance,
  { version, ready, relayReady }: HealthDeps,
): void {
  app.get('/healthz', () => ({ status: 'ok', ...(version !== undefined && { version }) }))
  app.get('/readyz', async () => {
    const [isReady, isRelayReady] = await Promise.all([ready(), relayReady()])
    if (!isReady) throw new Refusal('not-ready')
    return { status: 'ready', ...(!isRelayReady && { relay: 'unavailable' }) }
  })
}

export function metricsRoute(app: FastifyInstance, metrics: Registry): void {
  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.metrics()),
  )
}

/** The API description, and the reference as plain HTML. */
export function referenceRoutes(
  app: FastifyInstance,
  { version, path }: { readonly version: string; readonly path: string },
): void {
  const description = lazy(() => JSON.stringify(openApi(version)))
  const reference = lazy(() => referencePage(version))
  app.get('/openapi.json', (_request, reply) => reply.type('application/json').send(description()))
  app.get(path, (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        contentSecurityPolicy({ 'style-src': hashSource(REFERENCE_STYLE) }),
      )
      .send(reference()),
  )
}

/** Health, readiness, public keys and `security.txt`. */
export function operations(app: FastifyInstance, deps: OperationsDeps): void {
  healthRoutes(app, deps)
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
