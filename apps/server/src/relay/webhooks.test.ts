import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { expect, test, vi } from 'vitest'
import { listen } from '../../../../tests/support/listen.ts'
import type { OutboundHosts } from '../http/outbound-post.ts'
import { openWebhooks } from './webhooks.ts'

// The default of one second is too short on a busy machine.
const WAITS = { timeout: 30_000 }

const TOPIC = 'df3d6f9c-daa5-410d-ad49-55ffe6194a94'

async function aPushServer(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer)
  const port = await listen(server)
  return {
    host: `127.0.0.1:${port}`,
    [Symbol.dispose]: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function webhooks(hosts: OutboundHosts) {
  const drops: string[] = []
  const opened = openWebhooks({ hosts, countDrops: (reason) => drops.push(reason) })
  return { ...opened, drops, [Symbol.dispose]: opened.close }
}

test.each([
  'http://push.example/push',
  'https://push.example:8443/push',
  'https://user:pass@push.example/push',
  'https://127.0.0.1/push',
  'https://127.1/push',
  'https://0x7f000001/push',
  'https://[::1]/push',
  'https://[::ffff:a00:1]/push',
  'https://169.254.169.254/latest',
  'ftp://push.example/',
  'file:///etc/passwd',
  'push.example',
  '',
  `https://push.example/${'x'.repeat(2000)}`,
])('protocol 3.5: only public hosts may be called over https, not %s', (url) => {
  using opened = webhooks('public')
  expect(opened.accepts('https://push.example/push')).toBe(true)
  expect(opened.accepts(url)).toBe(false)
})

test('protocol 3.5: if an operator lists hosts, only those are called', () => {
  using opened = webhooks(['push.internal:8080', 'push.example'])
  expect(opened.accepts('http://push.internal:8080/push')).toBe(true)
  expect(opened.accepts('https://push.example/push')).toBe(true)
  expect(opened.accepts('https://push.example:8443/push'), 'any port').toBe(true)
  expect(opened.accepts('http://push.internal/push')).toBe(false)
  expect(opened.accepts('https://other.example/push')).toBe(false)
  using none = webhooks([])
  expect(none.accepts('https://push.example/push')).toBe(false)
})

test('protocol 3.5: a name that resolves to an internal address is not called', async () => {
  let requests = 0
  using push = await aPushServer(() => (requests += 1))
  using opened = webhooks('public')
  // The name resolves to loopback, where nothing listens on port 443.
  opened.call('https://localhost/push', TOPIC)
  await vi.waitFor(() => expect(opened.drops).toEqual(['webhook']), WAITS)
  expect([push.host, requests]).toEqual([expect.any(String), 0])
})

test('protocol 3.5: a webhook receives only the topic, and failures are not retried', async () => {
  const received: string[] = []
  using push = await aPushServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += chunk))
    request.on('end', () => {
      received.push(`${request.method} ${request.url} ${text}`)
      response.writeHead(500).end()
    })
  })
  using opened = webhooks([push.host])
  opened.call(`http://${push.host}/push`, TOPIC)
  await vi.waitFor(() => expect(opened.drops).toEqual(['webhook']), WAITS)
  expect(received).toEqual([`POST /push {"topic":"${TOPIC}"}`])
})

test('protocol 3.5: calls are limited: a push server that never responds has sixteen open and a thousand queued', async () => {
  let open = 0
  using push = await aPushServer(() => (open += 1))
  const opened = webhooks([push.host])
  for (let each = 0; each < 1100; each += 1) opened.call(`http://${push.host}/push`, TOPIC)
  expect(opened.drops).toHaveLength(84)
  await vi.waitFor(() => expect(open).toBe(16), WAITS)
  opened.close()
  await vi.waitFor(() => expect(opened.drops).toHaveLength(100), WAITS)
  expect(open).toBe(16)
})
