import { type IncomingMessage, maxHeaderSize, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { Refusal } from '@portico/contracts/errors'
import { HTTP_TIMEOUT_MS, MAX_BODY_BYTES } from '@portico/contracts/limits'
import { SCIM_PATH } from '@portico/contracts/sso-setup'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import { handleUnroutableUrl, malformedRequestHandler, wantsPage } from './error-responses.ts'
import type { IsTrusted } from './network.ts'
import { CLOSED_HEADERS } from './security-headers.ts'
import { hasSingleHost, isWebSocketUpgrade } from './upgrade.ts'

const REQUEST_TIMEOUT_MS = 15_000
/** Long enough for a slow connection to read the largest file. */
const UNREAD_TIMEOUT_MS = 60_000

/**
 * Creates an HTTP server without routes. It rejects requests that are too large, too slow or malformed, and sets the
 * most restrictive headers on every response.
 *
 * @param options.isTrusted - whether to trust an address's forwarding headers; by default, no address is trusted
 * @param options.publicUrl - an https URL enables HSTS
 */
export function httpServer({
  log,
  isTrusted,
  publicUrl,
  startRequest,
}: {
  log: Logger
  isTrusted: IsTrusted | undefined
  publicUrl: string | undefined
  /** Called first for each request. Not a hook of its own, because each hook costs some hundredths of an empty request. */
  startRequest?: ((request: FastifyRequest, reply: FastifyReply) => void) | undefined
}): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = log
  const app: FastifyInstance = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: isTrusted ?? false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Idle clients must not keep connections open.
    connectionTimeout: HTTP_TIMEOUT_MS,
    http: {
      connectionsCheckingInterval: 2000,
      headersTimeout: REQUEST_TIMEOUT_MS,
      shouldUpgradeCallback: isWebSocketUpgrade,
    },
    // An identifier in a path may have any length, so that the route itself responds to unknown ones.
    routerOptions: { maxParamLength: maxHeaderSize },
    forceCloseConnections: 'idle',
    // A request that arrives on an open connection during shutdown is still answered before the connection closes.
    return503OnClosing: false,
    rewriteUrl: routedUrl,
    frameworkErrors: handleUnroutableUrl,
    clientErrorHandler: malformedRequestHandler(log),
  })
  closeUnread(app.server)
  app.removeContentTypeParser('text/plain')
  const https = publicUrl?.startsWith('https:') === true
  app.addHook('onRequest', (request, reply, done) => {
    startRequest?.(request, reply)
    void reply.headers(CLOSED_HEADERS)
    if (https) void reply.header('strict-transport-security', 'max-age=31536000')
    done(hasSingleHost(request.raw) ? undefined : new Refusal('invalid-request'))
  })
  return app
}

/**
 * The URL for the router. Clients may send an absolute URL (RFC 9112, 3.2.2); our routes expect only the path. The router
 * rejects paths that cannot be decoded. For a browser, their percent signs are literal instead, so that it gets the same page
 * as for any other unknown path.
 */
function routedUrl(request: Pick<IncomingMessage, 'headers' | 'method' | 'url'>): string {
  const url = (request.url ?? '/').replace(/^https?:\/\/[^/?#]*\/?/i, '/')
  const [path = ''] = url.split(/[?#]/, 1)
  if (SCIM_URL.test(path)) return withPlainSlashes(path) + url.slice(path.length)
  if (!wantsPage(request) || decoded(path) !== undefined) return url
  return path.replaceAll('%', '%25') + url.slice(path.length)
}

const SCIM_URL = new RegExp(`^/+${SCIM_PATH.slice(1)}(?:/|$)`)

/** Directories join their base URL and paths with one slash, two or one at the end. */
function withPlainSlashes(path: string): string {
  const single = path.replaceAll(/\/+/g, '/')
  return single.endsWith('/') ? single.slice(0, -1) : single
}

/** Returns the result, because the bundler drops a decoding without a use. */
function decoded(path: string): string | undefined {
  try {
    return decodeURI(path)
  } catch {
    return undefined
  }
}

/**
 * Closes connections that do not read their responses. Socket timeouts do not, because any data that the client sends resets
 * them.
 */
function closeUnread(server: Server): void {
  const bytesRead = new Map<Socket, number>()
  server.on('connection', (socket: Socket) => {
    bytesRead.set(socket, 0)
    socket.once('close', () => bytesRead.delete(socket))
  })
  const timer = setInterval(() => {
    for (const [socket, before] of bytesRead) {
      const { bytesWritten, writableLength } = socket
      const now = bytesWritten - writableLength
      if (writableLength > 0 && now === before) socket.destroy()
      else bytesRead.set(socket, now)
    }
  }, UNREAD_TIMEOUT_MS)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}
