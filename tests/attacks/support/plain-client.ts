/** An attacker's HTTP client: no cookies, nothing of ours, one persistent connection. */
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'

/** The parts of a response that an attacker can see. */
export interface VisibleResponse {
  readonly status: number
  readonly headerNames: readonly string[]
  readonly headers: IncomingMessage['headers']
  readonly text: string
  /** Duration until the complete response, in milliseconds. */
  readonly took: number
}

export interface PlainClient extends Disposable {
  readonly send: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<VisibleResponse>
}

export function plainClient(url: string): PlainClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    async send(method, path, body, headers = {}) {
      const content = body === undefined ? undefined : JSON.stringify(body)
      const startedAt = performance.now()
      const sent = request(new URL(path, url), {
        method,
        agent,
        headers: {
          ...(content === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) }),
          ...headers,
        },
      })
      sent.end(content)
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      let text = ''
      for await (const chunk of answer.setEncoding('utf8')) text += String(chunk)
      return {
        status: answer.statusCode ?? 0,
        headerNames: Object.keys(answer.headers).sort(),
        headers: answer.headers,
        text,
        took: performance.now() - startedAt,
      }
    },
    [Symbol.dispose]: () => agent.destroy(),
  }
}
