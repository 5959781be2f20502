/** Plain requests as an attacker sends them: no cookies, no client of ours, one connection that stays open. */
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'

/** An answer with what an attacker can see of it. */
export interface Seen {
  readonly status: number
  readonly headerNames: readonly string[]
  readonly headers: IncomingMessage['headers']
  readonly text: string
  /** How long it took until the answer was whole, in milliseconds. */
  readonly took: number
}

/** One connection to a server. */
export interface Lane extends Disposable {
  readonly send: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Seen>
}

/** Opens a connection to a server. */
export function lane(url: string): Lane {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    async send(method, path, body, headers = {}) {
      const content = body === undefined ? undefined : JSON.stringify(body)
      const began = performance.now()
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
        took: performance.now() - began,
      }
    },
    [Symbol.dispose]: () => agent.destroy(),
  }
}
