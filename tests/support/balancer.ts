import { Agent, createServer, request } from 'node:http'
import { listen } from './listen.ts'

/** A reverse proxy that sends requests to several nodes in turn, over connections that it keeps open. */
export interface Balancer extends AsyncDisposable {
  readonly url: string
  readonly add: (nodeUrl: string) => void
  /** Stops sending requests to a node; those in progress continue. */
  readonly remove: (nodeUrl: string) => void
}

export async function startBalancer(): Promise<Balancer> {
  const nodes: string[] = []
  let turn = 0
  const agent = new Agent({ keepAlive: true })
  const server = createServer((incoming, response) => {
    turn += 1
    const node = nodes[turn % nodes.length] ?? ''
    const { method, headers, url = '/' } = incoming
    const forwarded = request(new URL(url, node), { agent, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    // Not retried: the test counts each request that fails.
    forwarded.on('error', () => response.destroy())
    incoming.pipe(forwarded)
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    add: (nodeUrl) => void nodes.push(nodeUrl),
    remove: (nodeUrl) => void nodes.splice(nodes.indexOf(nodeUrl), 1),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      agent.destroy()
      server.close()
    },
  }
}
