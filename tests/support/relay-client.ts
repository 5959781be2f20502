import { once } from 'node:events'
import { WebSocket } from 'ws'

/** The relay's usual address. */
export const RELAY = '/service-wallet-connect-bridge/ws/external'

/** A page or a wallet, as far as the relay sees one. */
export interface RelayClient extends Disposable {
  readonly socket: WebSocket
  /** Frames that have come, as they were written. */
  readonly frames: readonly string[]
  /** Payloads of the frames that have come. */
  readonly payloads: () => readonly string[]
  readonly subscribe: (topic: string) => void
  readonly publish: (topic: string, payload: string, silent?: boolean) => void
  /** Waits until the relay has read everything that was sent so far. */
  readonly settled: () => Promise<void>
  /** The code the connection is closed with. */
  readonly closed: Promise<number>
}

/** Opens a connection to a node's relay. */
export async function relayClient(
  url: string,
  options: { readonly path?: string; readonly headers?: Record<string, string> } = {},
): Promise<RelayClient> {
  const address = new URL(options.path ?? RELAY, url.replace(/^http/, 'ws'))
  const socket = new WebSocket(address, { headers: options.headers ?? {} })
  const frames: string[] = []
  socket.on('message', (data: Buffer) => frames.push(data.toString()))
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await once(socket, 'open')
  // What breaks a connection that was open is told by its end.
  socket.on('error', () => undefined)
  const send = (frame: object) => socket.send(JSON.stringify(frame))
  return {
    socket,
    frames,
    payloads: () => frames.map((text) => (JSON.parse(text) as { payload: string }).payload),
    subscribe: (topic) => send({ topic, type: 'sub', payload: '', silent: true }),
    publish: (topic, payload, silent = true) => send({ topic, type: 'pub', payload, silent }),
    async settled() {
      const answered = once(socket, 'pong')
      socket.ping()
      await answered
    },
    closed,
    [Symbol.dispose]: () => socket.terminate(),
  }
}
