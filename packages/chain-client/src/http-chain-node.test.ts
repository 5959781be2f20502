import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { httpChainNode } from './http-chain-node.ts'

async function aNode(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // A listening TCP server has this type.
  return {
    url: `http://127.0.0.1:${port}/chain/`,
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('8 an error page has a status and no content', async () => {
  using node = await aNode((_, response) => response.writeHead(502).end('<html>'))
  expect(await httpChainNode(node.url)('/x')).toEqual({ status: 502, content: undefined })
})

test('8 a truncated response counts as an unreachable network, not a faulty one', async () => {
  using node = await aNode((_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"balance":')
    setTimeout(() => response.destroy(), 50)
  })
  await expect(httpChainNode(node.url)('/x')).rejects.toMatchObject({ code: 'chain-not-available' })
})
