import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import { HTTP_TIMEOUT_MS } from '@portico/contracts/limits'
import type { FastifyInstance } from 'fastify'
import { type IsTrusted, networkOf } from './network.ts'

/** A WebSocket upgrade request, which its handler must complete. */
export interface Upgrade {
  readonly request: IncomingMessage
  readonly socket: Socket
  readonly head: Buffer
  /** The network that it is counted by; see `networkOf`. */
  readonly network: string
}

/**
 * Whether a request has at most one `Host` header. RFC 9112 (3.2) requires refusing duplicates, because a proxy and
 * this server could each use a different one.
 */
export function hasSingleHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') hosts += 1
  }
  return hosts <= 1
}

/** Whether a request is a WebSocket upgrade. Other upgrades are treated as ordinary requests. */
export function isWebSocketUpgrade({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'
}

export type RefusedUpgrade = Pick<Upgrade, 'request' | 'network'> & { readonly reason: string }

/**
 * Passes WebSocket upgrades under one path to `accept`. They bypass the server's routes, because the memory of a routed
 * request would stay allocated for ten thousand concurrent connections. Upgrades under other paths get the usual
 * response, and the connection closes, unless another listener of the server completes them.
 */
export function serveUpgrades(
  app: FastifyInstance,
  deps: {
    readonly path: string
    readonly isTrusted: IsTrusted
    readonly accept: (upgrade: Upgrade) => void
    readonly onRefused: (refused: RefusedUpgrade) => void
    /** The paths whose upgrades another listener completes; by default none. */
    readonly isServedElsewhere?: ((path: string) => boolean) | undefined
  },
): void {
  const { path, isTrusted, accept, onRefused, isServedElsewhere } = deps
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const [requestedPath = ''] = (request.url ?? '').split('?', 1)
    // A response on their socket would be read as the first, invalid message.
    if (isServedElsewhere?.(requestedPath)) {
      // Vite's client reloads the page as soon as a connection is accepted: too early while this process is stopping.
      if (isStopping) socket.destroy()
      return
    }
    const isServed = requestedPath === path || requestedPath.startsWith(`${path}/`)
    if (!isServed) return respondWithoutUpgrade(app, request, socket)
    const network = networkOfRequest(request, isTrusted)
    if (!hasSingleHost(request)) {
      onRefused({ request, network, reason: 'duplicate-host' })
      return respondWithoutUpgrade(app, request, socket)
    }
    accept({ request, socket, head, network })
  })
}

/** Determined as for other requests: the furthest address that a trusted proxy reports, or the connection's. */
function networkOfRequest(request: IncomingMessage, isTrusted: IsTrusted): string {
  const furthest = proxyAddr.all(request, isTrusted).at(-1) ?? ''
  return networkOf(furthest) ?? networkOf(request.socket.remoteAddress) ?? 'unknown'
}

function respondWithoutUpgrade(
  app: FastifyInstance,
  request: IncomingMessage,
  socket: Socket,
): void {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.once('finish', () => socket.destroySoon())
  socket.on('error', () => socket.destroy())
  socket.setTimeout(HTTP_TIMEOUT_MS, () => socket.destroy())
  app.routing(request, response)
}
