import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import { HTTP_TIMEOUT_MS } from '@portico/contracts/limits'
import type { FastifyInstance } from 'fastify'
import { networkOf } from './network.ts'
import type { IsTrusted } from './trusted-proxies.ts'

/** A connection that asks to become a websocket; whoever takes it answers on it. */
export interface Upgrade {
  readonly request: IncomingMessage
  readonly socket: Socket
  readonly head: Buffer
  /** The network it counts by; see `Visitor`. */
  readonly network: string
}

/**
 * Whether a request has at most one `Host` header. With two, a proxy and this server may each believe another one
 * (RFC 9112, 3.2: such a request is refused).
 */
export function namesOneHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') hosts += 1
  }
  return hosts <= 1
}

/** Whether a request asks for a websocket. Anything else that could be upgraded is answered as an ordinary request. */
export function asksForWebsocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * Hands requests for a websocket under one path to whoever serves it. They pass none of the server's routes, because
 * what a request costs there would stay with ten thousand connections that were opened together. Under every other path
 * the answer is the usual one, and the connection ends.
 */
export function serveUpgrades(
  app: FastifyInstance,
  deps: {
    readonly path: string
    readonly isTrusted: IsTrusted
    readonly take: (upgrade: Upgrade) => void
  },
): void {
  const { path, isTrusted, take } = deps
  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const [asked = ''] = (request.url ?? '').split('?', 1)
    const isServed = asked === path || asked.startsWith(`${path}/`)
    if (!isServed || !namesOneHost(request)) return answerPlainly(app, request, socket)
    take({ request, socket, head, network: networkOfRequest(request, isTrusted) })
  })
}

/** As for every other request: the address furthest away that a trusted proxy names, or the connection's own. */
function networkOfRequest(request: IncomingMessage, isTrusted: IsTrusted): string {
  const furthest = proxyAddr.all(request, isTrusted).at(-1) ?? ''
  return networkOf(furthest) ?? networkOf(request.socket.remoteAddress) ?? 'unknown'
}

function answerPlainly(app: FastifyInstance, request: IncomingMessage, socket: Socket): void {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.once('finish', () => socket.destroySoon())
  socket.on('error', () => socket.destroy())
  socket.setTimeout(HTTP_TIMEOUT_MS, () => socket.destroy())
  app.routing(request, response)
}
