import { Refusal } from '@portico/contracts/errors'
import { BODY_BYTES_MAXIMUM, HTTP_TIMEOUT_MS } from '@portico/contracts/limits'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import { answerBrokenRequest, answerUnreadableAddress } from './error-responses.ts'
import { CLOSED_HEADERS } from './security-headers.ts'
import type { IsTrusted } from './trusted-proxies.ts'
import { asksForWebsocket, namesOneHost } from './upgrade.ts'

const REQUEST_TIMEOUT_MS = 15_000

/**
 * An HTTP server without a route: what is too large, too slow or not readable is cut off, and every answer carries the
 * headers of the safest page.
 *
 * @param options.isTrusted - whether forwarded headers of an address are believed; none are where it is left out
 * @param options.publicUrl - whether browsers are told to keep to https
 */
export function httpServer({
  log,
  isTrusted,
  publicUrl,
}: {
  log: Logger
  isTrusted: IsTrusted | undefined
  publicUrl: string | undefined
}): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = log
  const app: FastifyInstance = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAXIMUM,
    trustProxy: isTrusted ?? false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Whoever asks and then reads nothing of the answer must not hold it, and the connection, for good.
    connectionTimeout: HTTP_TIMEOUT_MS,
    http: {
      connectionsCheckingInterval: 2000,
      headersTimeout: REQUEST_TIMEOUT_MS,
      shouldUpgradeCallback: asksForWebsocket,
    },
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
    // A request that arrives on an open connection while we stop is answered, not turned away; then the connection ends.
    return503OnClosing: false,
    // An address may arrive whole (RFC 9112, 3.2.2); everything of ours reads it from the path on.
    rewriteUrl: ({ url = '/' }) => url.replace(/^https?:\/\/[^/?#]*\/?/i, '/'),
    frameworkErrors: answerUnreadableAddress,
    clientErrorHandler: answerBrokenRequest,
  })
  app.removeContentTypeParser('text/plain')
  const https = publicUrl?.startsWith('https:') === true
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(CLOSED_HEADERS)
    if (https) void reply.header('strict-transport-security', 'max-age=31536000')
    done(namesOneHost(request.raw) ? undefined : new Refusal('invalid-request'))
  })
  return app
}
