import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { startRedis } from '../../tools/machine/redis.ts'
import { listen } from '../support/listen.ts'
import { RELAY, relayClient } from '../support/relay-client.ts'
import { aWorld, ON_REDIS } from '../support/world.ts'

const BRIDGE = '/service-wallet-connect-bridge'
const HOUR_MS = 60 * 60 * 1000
const WAITS = { timeout: 30_000, interval: 10 }

/** A node's metrics. */
const readiness = async (url: string): Promise<unknown> => (await fetch(`${url}/readyz`)).json()

async function metrics(url: string): Promise<string> {
  return (await fetch(`${url}/metrics`)).text()
}

/** A push server and the requests it received. */
async function aPushServer() {
  const received: string[] = []
  const server = createServer((call, response) => {
    let text = ''
    call.on('data', (chunk) => (text += chunk))
    call.on('end', () => {
      received.push(text)
      response.end()
    })
  })
  const port = await listen(server)
  return { received, host: `127.0.0.1:${port}`, [Symbol.dispose]: () => void server.close() }
}

test('7.4 a wallet that connects later gets the page’s messages unchanged, and the page gets no echo', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const [handshake, pageId, walletId] = [randomUUID(), randomUUID(), randomUUID()]
  using page = await relayClient(world.url)
  const first = `{"topic":"${handshake}", "type":"pub","payload":"{\\"data\\":\\"ü\\"}","silent":true,"origin":"https://x.example"}`
  page.socket.send(first)
  page.publish(handshake, 'second')
  page.subscribe(pageId)
  await page.settled()

  using wallet = await relayClient(world.url)
  wallet.subscribe(handshake)
  wallet.subscribe(walletId)
  await vi.waitFor(() => expect(wallet.frames).toHaveLength(2), WAITS)
  expect(wallet.frames[0]).toBe(first)
  expect(wallet.payloads()[1]).toBe('second')

  wallet.publish(pageId, 'approved')
  await vi.waitFor(() => expect(page.payloads()).toEqual(['approved']), WAITS)
  page.publish(walletId, 'sign this')
  await vi.waitFor(() => expect(wallet.payloads().at(-1)).toBe('sign this'), WAITS)
  expect(page.frames).toHaveLength(1)
})

test('7.4 a subscriber receives its own messages to the topic, in every tab', async () => {
  await using world = await aWorld()
  const topic = randomUUID()
  const tabs = await Promise.all([1, 2, 3].map(() => relayClient(world.url)))
  for (const tab of tabs) tab.subscribe(topic)
  await Promise.all(tabs.map((tab) => tab.settled()))
  await vi.waitFor(async () => {
    tabs[0]?.publish(topic, 'hello')
    await tabs[0]?.settled()
    for (const tab of tabs) expect(tab.payloads()).toContain('hello')
  }, WAITS)
  // A closing tab unsubscribes from its topics; the others stay.
  tabs[0]?.socket.close()
  await tabs[0]?.closed
  tabs[1]?.publish(topic, 'still here')
  await vi.waitFor(() => expect(tabs[2]?.payloads()).toContain('still here'), WAITS)
  for (const tab of tabs) tab[Symbol.dispose]()
})

test.each([
  RELAY,
  `${RELAY}/`,
  `${RELAY}?env=browser&host=dapp.example&protocol=wc&version=1`,
  `${RELAY}/silenceActive`,
  `${RELAY}/silenceActive?env=node&protocol=wc&version=1`,
  `${RELAY}?silenceActive=true`,
])('protocol 3.1: a page of any origin connects at %s', async (path) => {
  await using world = await aWorld()
  const topic = randomUUID()
  using page = await relayClient(world.url, { path, headers: { origin: 'https://dapp.example' } })
  using wallet = await relayClient(world.url, { path })
  page.publish(topic, 'hello')
  await page.settled()
  wallet.subscribe(topic)
  await vi.waitFor(() => expect(wallet.payloads()).toEqual(['hello']), WAITS)
})

test('protocol 3.4: bad JSON, blank text, binary, acknowledgements and unknown types are ignored, and the socket stays open', async () => {
  await using world = await aWorld()
  const topic = randomUUID()
  using page = await relayClient(world.url)
  for (const text of ['{', '', '   ', 'null', '[]', '{"topic":7}', `{"topic":"${topic}"}`]) {
    page.socket.send(text)
  }
  page.socket.send(Buffer.from(JSON.stringify({ topic, type: 'pub', payload: 'binary' })))
  page.socket.send(JSON.stringify({ topic, type: 'ack', payload: '', silent: true }))
  page.socket.send(JSON.stringify({ topic, type: 'unknown', payload: '' }))
  page.publish(topic, 'well formed')
  page.subscribe(topic)
  await vi.waitFor(() => expect(page.payloads()).toEqual(['well formed']), WAITS)
  const text = await metrics(world.url)
  expect(text).toContain('portico_relay_drops_total{reason="unreadable"} 7')
  expect(text).toContain('portico_relay_drops_total{reason="binary"} 1')
})

test('protocol 3.4: messages for an absent wallet are kept for a day', async () => {
  await using world = await aWorld()
  const topic = randomUUID()
  using page = await relayClient(world.url)
  page.publish(topic, 'a day ago')
  await page.settled()
  world.clock.pass(23 * HOUR_MS)
  page.publish(topic, 'an hour ago')
  await page.settled()
  await vi.waitFor(async () => {
    expect(await metrics(world.url)).toContain('portico_relay_messages_total{outcome="queued"} 2')
  }, WAITS)
  world.clock.pass(HOUR_MS)
  using wallet = await relayClient(world.url)
  wallet.subscribe(topic)
  await vi.waitFor(() => expect(wallet.payloads()).toEqual(['an hour ago']), WAITS)
})

test('protocol 3.4: frames of 256 kB pass', async () => {
  await using world = await aWorld()
  const topic = randomUUID()
  using page = await relayClient(world.url)
  using wallet = await relayClient(world.url)
  const payload = 'x'.repeat(256_000)
  page.publish(topic, payload)
  await page.settled()
  wallet.subscribe(topic)
  await vi.waitFor(() => expect(wallet.payloads()).toEqual([payload]), WAITS)
})

test('protocol 3.5: hello, info, health and subscribe answer as bridges do', async () => {
  await using world = await aWorld()
  const get = (path: string) => fetch(`${world.url}${BRIDGE}${path}`)
  const hello = await get('/hello')
  expect([hello.status, hello.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('text/plain'),
  ])
  expect(await hello.text()).toMatch(/^Hello World, this is WalletConnect v\d/)
  expect(await (await get('/info')).json()).toEqual({
    name: expect.any(String),
    description: expect.any(String),
    version: expect.any(String),
  })
  const health = await get('/health')
  expect([health.status, await health.text()]).toEqual([204, ''])
  expect((await get('/ws/external')).status).toBe(404)

  const subscribe = async (body: string) => {
    const response = await fetch(`${world.url}${BRIDGE}/subscribe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    return [response.status, await response.json()]
  }
  const missing = (what: string) => [400, { message: `Error: missing or invalid ${what}` }]
  const webhook = 'https://push.example/push'
  expect(await subscribe(JSON.stringify({ topic: 'x', webhook }))).toEqual([200, { success: true }])
  expect(await subscribe(JSON.stringify({ webhook }))).toEqual(missing('topic field'))
  expect(await subscribe(JSON.stringify({ topic: 7, webhook }))).toEqual(missing('topic field'))
  expect(await subscribe(JSON.stringify({ topic: 'x' }))).toEqual(missing('webhook field'))
  expect(await subscribe(JSON.stringify({ topic: 'x', webhook: 'https://10.0.0.1/' }))).toEqual(
    missing('webhook field'),
  )
  for (const body of ['', 'null', '[', '7']) {
    expect(await subscribe(body), body).toEqual(missing('request body'))
  }
})

test('protocol 3.5: a webhook is called for non-silent messages, but not with silenceActive and an active peer', async () => {
  using push = await aPushServer()
  await using world = await aWorld().withSettings({ RELAY_WEBHOOK_HOSTS: push.host })
  const topic = randomUUID()
  const registered = await fetch(`${world.url}${BRIDGE}/subscribe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ topic, webhook: `http://${push.host}/push` }),
  })
  expect(await registered.json()).toEqual({ success: true })
  using page = await relayClient(world.url)
  using silencing = await relayClient(world.url, { path: `${RELAY}/silenceActive` })
  const calls = async (count: number) => {
    await vi.waitFor(() => expect(push.received).toHaveLength(count), WAITS)
    expect(new Set(push.received)).toEqual(new Set([JSON.stringify({ topic })]))
  }
  page.publish(topic, 'silent', true)
  page.publish(topic, 'not silent', false)
  await calls(1)
  page.socket.send(JSON.stringify({ topic, type: 'pub', payload: 'says nothing' }))
  await calls(2)
  silencing.publish(topic, 'the peer is absent', false)
  await calls(3)

  using wallet = await relayClient(world.url)
  wallet.subscribe(topic)
  await vi.waitFor(() => expect(wallet.payloads()).toHaveLength(4), WAITS)
  silencing.publish(topic, 'the peer is connected', false)
  await vi.waitFor(() => expect(wallet.payloads().at(-1)).toBe('the peer is connected'), WAITS)
  page.publish(topic, 'called anyway', false)
  await calls(4)
})

test('9 only the relay’s path accepts websockets; other requests are unaffected', async () => {
  await using world = await aWorld()
  for (const path of ['/', '/auth/login', '/healthz', `${BRIDGE}/hello`, `${BRIDGE}/ws`, '/x']) {
    const socket = new WebSocket(new URL(path, world.url.replace('http', 'ws')))
    const [error] = (await once(socket, 'error')) as [Error]
    expect(error.message, path).toMatch(/^Unexpected server response: (?:200|302|404)$/)
  }
  // A client that offers a subprotocol accepts a connection without it.
  const offered = await new Promise<number>((resolve) => {
    const { port } = new URL(world.url)
    const headers = { connection: 'upgrade', upgrade: 'h2c' }
    request({ port, path: '/healthz', headers }, (response) =>
      resolve(response.resume().statusCode ?? 0),
    ).end()
  })
  expect(offered).toBe(200)
})

test('9 a stopping server closes every connection with code 1001', async () => {
  const world = await aWorld()
  const clients = await Promise.all([1, 2, 3].map(() => relayClient(world.url)))
  await world[Symbol.asyncDispose]()
  expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual([1001, 1001, 1001])
})

test('9 metrics count connections, topics, queued messages and outcomes; the log has no payload', async () => {
  await using world = await aWorld().withLog('trace')
  const [there, absent] = [randomUUID(), randomUUID()]
  using page = await relayClient(world.url)
  using wallet = await relayClient(world.url)
  wallet.subscribe(there)
  await wallet.settled()
  page.publish(absent, 'ciphertext-for-no-one-else')
  await vi.waitFor(async () => {
    page.publish(there, 'ciphertext-for-no-one-else')
    await page.settled()
    expect(wallet.frames.length).toBeGreaterThan(0)
  }, WAITS)
  await vi.waitFor(async () => {
    const text = await metrics(world.url)
    expect(text).toContain('portico_relay_connections 2')
    expect(text).toContain('portico_relay_topics 1')
    expect(text).toMatch(/portico_relay_waiting_topics [12]/)
    expect(text).toMatch(/portico_relay_messages_total\{outcome="delivered"\} [1-9]/)
    expect(text).toMatch(/portico_relay_messages_total\{outcome="queued"\} [1-9]/)
  }, WAITS)
  wallet.socket.close()
  await wallet.closed
  await vi.waitFor(async () => {
    const text = await metrics(world.url)
    expect(text).toContain('portico_relay_connections 1')
    expect(text).toContain('portico_relay_topics 0')
  }, WAITS)
  expect(world.log.join('')).not.toContain('for-no-one-else')
  expect(world.log.join('')).not.toContain(there)
})

describe.runIf(ON_REDIS)('several nodes', () => {
  test('7.4 the two ends of a connection may be on different nodes', {
    tags: 'database',
  }, async () => {
    await using world = await aWorld().withNodes(2)
    const [one, two] = world.nodes.map(({ url }) => url) as [string, string]
    const [handshake, pageId] = [randomUUID(), randomUUID()]
    using page = await relayClient(one)
    using wallet = await relayClient(two)
    page.publish(handshake, 'first')
    page.publish(handshake, 'second')
    page.subscribe(pageId)
    await page.settled()
    wallet.subscribe(handshake)
    await vi.waitFor(() => expect(wallet.payloads()).toEqual(['first', 'second']), WAITS)
    wallet.publish(pageId, 'approved')
    await vi.waitFor(() => expect(page.payloads()).toEqual(['approved']), WAITS)
  })

  test('7.4 a queued message survives the node that accepted it', {
    tags: 'database',
  }, async () => {
    const redis = await startRedis()
    try {
      const topic = randomUUID()
      {
        await using before = await aWorld().withSettings({ REDIS_URL: redis.url })
        using page = await relayClient(before.url)
        page.publish(topic, 'kept')
        await vi.waitFor(async () => {
          expect(await metrics(before.url)).toContain('outcome="queued"} 1')
        }, WAITS)
      }
      await using after = await aWorld().withSettings({ REDIS_URL: redis.url })
      using wallet = await relayClient(after.url)
      wallet.subscribe(topic)
      await vi.waitFor(() => expect(wallet.payloads()).toEqual(['kept']), WAITS)
    } finally {
      await redis.stop()
    }
  })

  test('7.4 Redis is killed and restarted: nothing queued is lost, messages published meanwhile arrive, other calls work', {
    tags: 'database',
  }, async () => {
    const redis = await startRedis({ durable: true })
    try {
      await using world = await aWorld().withNodes(2).withSettings({ REDIS_URL: redis.url })
      const [one, two] = world.nodes.map(({ url }) => url) as [string, string]
      const [waiting, open] = [randomUUID(), randomUUID()]
      using page = await relayClient(one)
      using wallet = await relayClient(two)
      page.publish(waiting, 'before')
      wallet.subscribe(open)
      await vi.waitFor(async () => {
        page.publish(open, 'there?')
        await page.settled()
        expect(wallet.payloads()).toContain('there?')
      }, WAITS)

      await redis.kill()
      await vi.waitFor(async () => {
        expect(await readiness(one)).toEqual({ status: 'ready', relay: 'unavailable' })
      }, WAITS)
      const texts = Array.from({ length: 20 }, (_, each) => `meanwhile ${each}`)
      for (const text of texts) page.publish(open, text)
      page.publish(waiting, 'meanwhile')
      await page.settled()
      // Calls that do not need Redis still work, and the socket stays open.
      expect((await fetch(`${one}/auth/login`)).status).toBe(200)
      expect((await fetch(`${one}/healthz`)).status).toBe(200)
      expect(await metrics(one)).toContain('portico_relay_connections 1')
      expect(page.socket.readyState).toBe(WebSocket.OPEN)

      await redis.start()
      const payloads = () => wallet.payloads().filter((payload) => payload !== 'there?')
      await vi.waitFor(() => expect(payloads()).toEqual(texts), WAITS)
      using late = await relayClient(two)
      late.subscribe(waiting)
      await vi.waitFor(() => expect(late.payloads()).toEqual(['before', 'meanwhile']), WAITS)
      await vi.waitFor(async () => {
        expect(await readiness(one)).toEqual({ status: 'ready' })
      }, WAITS)
    } finally {
      await redis.stop()
    }
  })
})
