/** A relay in front of the server's, which records what is published and can cut all connections. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'

interface PublishedFrame {
  readonly topic: string
  readonly payload: string
}

export interface RecordingRelay extends AsyncDisposable {
  readonly url: string
  /** The frames that clients published since the last call. */
  readonly takePublished: () => readonly PublishedFrame[]
  /** Closes all connections, as when the network is lost. */
  readonly cut: () => void
}

export async function recordingRelay(relay: string): Promise<RecordingRelay> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  let published: PublishedFrame[] = []

  function record(text: string): void {
    const { type, topic, payload } = JSON.parse(text) as Readonly<Record<string, string>>
    if (type === 'pub' && topic !== undefined && payload !== undefined) {
      published.push({ topic, payload })
    }
  }

  server.on('connection', (client) => {
    const upstream = new WebSocket(relay)
    const unsent: string[] = []
    client.on('message', (data: Buffer) => {
      const text = data.toString()
      record(text)
      if (upstream.readyState === WebSocket.OPEN) upstream.send(text)
      else unsent.push(text)
    })
    upstream.on('open', () => {
      for (const text of unsent.splice(0)) upstream.send(text)
    })
    upstream.on('message', (data: Buffer) => client.send(data.toString()))
    // What was recorded reaches the relay, also when its sender has gone.
    client.on('close', () => {
      if (upstream.readyState === WebSocket.CONNECTING)
        upstream.once('open', () => upstream.close())
      else upstream.close()
    })
    for (const event of ['close', 'error']) upstream.on(event, () => client.terminate())
    client.on('error', () => client.terminate())
  })

  const cut = () => {
    for (const client of server.clients) client.terminate()
  }
  const { port } = server.address() as AddressInfo // Listening on a port, so the address has one.
  return {
    url: `ws://127.0.0.1:${port}`,
    takePublished() {
      const taken = published
      published = []
      return taken
    },
    cut,
    async [Symbol.asyncDispose]() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
