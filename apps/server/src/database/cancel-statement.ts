import { connect } from 'node:net'
import type pg from 'pg'

const CANCEL_REQUEST = 80_877_102
const TIMEOUT_MS = 2000

/** What the server sent for cancel requests, and where it is. The driver's types lack it. */
interface BackendKey {
  readonly host: string
  readonly port: number
  readonly processID: number | null
  readonly secretKey: number | null
}

export const backendKeyOf = (client: pg.ClientBase) => client as pg.ClientBase & BackendKey

/**
 * Asks PostgreSQL to cancel a connection's statement, by a cancel request on a connection of its own: it needs no session, so
 * it works when the server has no connection left. It is sent without TLS, which servers accept. It contains only the key of a
 * connection that is given up anyway.
 */
export function cancelStatement(client: pg.ClientBase): void {
  const { host, port, processID, secretKey } = backendKeyOf(client)
  if (processID === null || secretKey === null) return
  const message = Buffer.alloc(16)
  for (const [index, value] of [message.length, CANCEL_REQUEST, processID, secretKey].entries()) {
    message.writeInt32BE(value, index * 4)
  }
  const socket = host.startsWith('/')
    ? connect(`${host}/.s.PGSQL.${port}`)
    : connect({ host, port })
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy())
  // The server may be gone. Then so is the statement.
  socket.on('error', () => undefined)
  socket.once('connect', () => socket.end(message))
}
