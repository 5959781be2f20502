/** A receiver of webhooks on this machine. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { listen } from './listen.ts'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly payload: {
    readonly type: string
    readonly timestamp: string
    readonly data: Readonly<Record<string, unknown>>
  }
  readonly at: number
}

export interface Receiver extends Disposable {
  readonly url: string
  readonly received: Received[]
  /** The maximum number of concurrent requests so far. */
  readonly mostAtOnce: () => number
  /** Answers a request; by default with 204. */
  answer: (response: ServerResponse) => void
}

export async function webhookReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let open = 0
  let most = 0
  const server = createServer((request, response) => {
    open += 1
    most = Math.max(most, open)
    response.once('close', () => {
      open -= 1
    })
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const payload = JSON.parse(body) as Received['payload']
      received.push({ headers: request.headers, body, payload, at: Date.now() })
      receiver.answer(response)
    })
  })
  const port = await listen(server)
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/webhooks`,
    received,
    mostAtOnce: () => most,
    answer: (response) => void response.writeHead(204).end(),
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
  return receiver
}
