/** A server of the lender's application, behind Portico. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from './listen.ts'

export type Respond = (request: IncomingMessage, response: ServerResponse, body: string) => void

/** Answers with the request as JSON, until `respond` replaces that. */
export async function applicationServer() {
  const received: { request: IncomingMessage; body: string }[] = []
  const echo: Respond = ({ method, url, headers }, response, body) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ method, url, headers, body }))
  }
  let respond = echo
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('latin1').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      received.push({ request, body })
      respond(request, response, body)
    })
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    /** The requests so far. */
    received,
    respondWith(next: Respond = echo) {
      respond = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** What the application received, as its default response reports it. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}
