import { once } from 'node:events'
import { WebSocket } from 'ws'

/** The relay's usual address. */
export const RELAY = '/service-wallet-connect-bridge/ws/external'

/** A page or wallet as a relay client. */
export interface RelayClient extends Disposable {
  readonly socket: WebSocket
  /** Received frames, unparsed. */
  readonly frames: readonly string[]
  /** Payloads of the received frames. */
  readonly payloads: () => readonly string[]
  readonly subscribe: (topic: string) => void
  readonly publish: (topic: string, payload: string, silent?: boolean) => void
  /** Waits until the relay has processed everything sent so far. */
  readonly settled: () => Promise<void>
  /** The close code. */
  readonly closed: Promise<number>
}

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
  // Errors of an open connection are reported by its close event.
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
