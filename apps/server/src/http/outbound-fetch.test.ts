import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen } from '../../../../tests/support/listen.ts'
import { outboundFetch } from './outbound-fetch.ts'

const server = createServer((request, response) => {
  const answers: Readonly<Record<string, () => void>> = {
    '/json': () => response.setHeader('content-type', 'application/json').end('{"a":1}'),
    '/redirect': () => response.writeHead(302, { location: '/json' }).end(),
    '/empty': () => response.writeHead(204).end(),
    '/no-content': () => request.socket.end('HTTP/1.1 205 OK\r\ncontent-length: 2\r\n\r\n{}'),
    '/upgrade': () =>
      request.socket.end(
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      ),
    '/large': () => response.end('a'.repeat(2_000_000)),
    '/cut': () => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('part', () => response.destroy())
    },
  }
  answers[request.url ?? '']?.()
})
let origin = ''
beforeAll(async () => {
  const port = await listen(server)
  origin = `http://127.0.0.1:${port}`
})
afterAll(() => {
  server.close()
})

const get = (hosts: Parameters<typeof outboundFetch>[0], url: string) =>
  outboundFetch(hosts)(url, { method: 'GET', headers: {}, body: undefined, signal: undefined })

test('a listed host is reached; redirects are not followed', async () => {
  const response = await get(['127.0.0.1'], `${origin}/json`)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toEqual({ a: 1 })
  expect((await get(['127.0.0.1'], `${origin}/redirect`)).status).toBe(302)
  expect((await get(['127.0.0.1'], `${origin}/empty`)).status).toBe(204)
})

test('a name below localhost is this machine, whatever the resolver says', async () => {
  const { port } = new URL(origin)
  const response = await get(['lender.localhost'], `http://lender.localhost:${port}/json`)
  expect(await response.json()).toEqual({ a: 1 })
})

test('a response that is too large, truncated or switches protocols is an error', async () => {
  await expect(get(['127.0.0.1'], `${origin}/large`)).rejects.toThrow('too large')
  for (const path of ['/cut', '/upgrade']) {
    await expect(get(['127.0.0.1'], `${origin}${path}`)).rejects.toMatchObject({
      code: 'ECONNRESET',
    })
  }
})

test('a body that the status does not allow is ignored', async () => {
  const response = await get(['127.0.0.1'], `${origin}/no-content`)
  expect([response.status, await response.text()]).toEqual([205, ''])
})

test.each([
  'http://127.0.0.1/json',
  'https://127.0.0.1/json',
  'https://[::1]/json',
  'https://169.254.169.254/latest/meta-data',
  'https://localhost/json',
  'http://provider.example/json',
  'https://provider.example:8443/json',
  'https://user:pass@provider.example/json',
  'file:///etc/passwd',
])('only public hosts over https are reached by default (SSRF): %s', async (url) => {
  await expect(get('public', url)).rejects.toThrow(/not allowed|does not resolve to public/)
})
