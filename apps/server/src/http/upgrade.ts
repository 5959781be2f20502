import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { HTTP_TIMEOUT_MS } from '@portico/contracts/limits'
import type { FastifyInstance } from 'fastify'

/** A connection that asks to become a websocket. */
export interface Upgrade {
  /** Takes the connection over; whoever does so answers on it. */
  readonly take: () => { readonly socket: Socket; readonly head: Buffer }
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>()

/** Whether a request asks for a websocket. Anything else that could be upgraded is answered as an ordinary request. */
export function asksForWebsocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * Leads requests for a websocket through the same routes, hooks and trusted proxies as every other request. A route that
 * expects one finds it with `upgradeOf`; every other route answers as it always does, and the connection ends.
 */
export function routeUpgrades(app: FastifyInstance): void {
  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const response = new ServerResponse(request)
    const destroy = () => void socket.destroy()
    const end = () => socket.destroySoon()
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', end)
    socket.on('error', destroy)
    socket.setTimeout(HTTP_TIMEOUT_MS, destroy)
    upgrades.set(request, {
      take() {
        response.off('finish', end)
        response.detachSocket(socket)
        socket.off('error', destroy).off('timeout', destroy).setTimeout(0)
        return { socket, head }
      },
    })
    app.routing(request, response)
  })
}

/** The websocket a request asks for, if it does. */
export function upgradeOf(request: IncomingMessage): Upgrade | undefined {
  return upgrades.get(request)
}
