/** The network between the browser and the server, which tests interrupt. */
import { once } from 'node:events'
import { createServer, request as requestHttp, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { listen } from '../../support/listen.ts'

export interface Network extends AsyncDisposable {
  readonly origin: string
  /** Sends everything to another server. */
  readonly connectTo: (url: string) => void
  /** Breaks all connections, and accepts new ones only after `on`. */
  readonly off: () => void
  readonly on: () => void
  /** Replaces the responses of the chain; undefined restores them. */
  readonly setChain: (respond: ((response: ServerResponse) => void) | undefined) => void
}

export async function aNetwork(url: string): Promise<Network> {
  let target = new URL(url)
  let isOff = false
  let respondAsChain: ((response: ServerResponse) => void) | undefined
  const open = new Set<Duplex>()

  const server = createServer((request, response) => {
    const { url: path = '/', method, headers } = request
    if (path.startsWith('/chain/') && respondAsChain !== undefined) return respondAsChain(response)
    const upstream = requestHttp(new URL(path, target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    upstream.on('error', () => response.destroy())
    return request.pipe(upstream)
  })

  server.on('connection', (socket) => {
    if (isOff) return socket.destroy()
    open.add(socket)
    return socket.once('close', () => open.delete(socket))
  })

  server.on('upgrade', (request, socket, head) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const each of [socket, upstream]) {
      each.on('error', () => undefined)
      each.once('close', () => {
        socket.destroy()
        upstream.destroy()
      })
    }
    const headers = request.rawHeaders.map((text, index) => `${text}${index % 2 ? '\r\n' : ': '}`)
    upstream.write(`GET ${request.url} HTTP/1.1\r\n${headers.join('')}\r\n`)
    upstream.write(head)
    socket.pipe(upstream).pipe(socket)
  })

  const port = await listen(server)
  const breakAll = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    connectTo(next) {
      target = new URL(next)
      breakAll()
    },
    off() {
      isOff = true
      breakAll()
    },
    on() {
      isOff = false
    },
    setChain(respond) {
      respondAsChain = respond
    },
    async [Symbol.asyncDispose]() {
      breakAll()
      server.close()
      await once(server, 'close')
    },
  }
}
