/**
 * A client that abuses the relay is closed with a specific code, memory stays bounded, and a page and a wallet keep
 * communicating.
 */
import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { type RelayClient, relayClient } from '../support/relay-client.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { aWorld } from '../support/world.ts'

const WAITS = { timeout: 30_000, interval: 10 }
const MEGABYTE = 1024 * 1024

/** A page and a wallet; `expectWorking` checks that they can communicate. */
async function pageAndWallet(url: string) {
  const [pageId, walletId] = [randomUUID(), randomUUID()]
  const from = { headers: { 'x-forwarded-for': '198.51.100.1' } }
  const page = await relayClient(url, from)
  const wallet = await relayClient(url, from)
  page.subscribe(pageId)
  wallet.subscribe(walletId)
  return {
    async expectWorking(): Promise<void> {
      const [requestTopic, responseTopic] = [randomUUID(), randomUUID()]
      page.publish(walletId, requestTopic)
      await vi.waitFor(() => expect(wallet.payloads()).toContain(requestTopic), WAITS)
      wallet.publish(pageId, responseTopic)
      await vi.waitFor(() => expect(page.payloads()).toContain(responseTopic), WAITS)
    },
    [Symbol.dispose]() {
      page[Symbol.dispose]()
      wallet[Symbol.dispose]()
    },
  }
}

async function drops(url: string, reason: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(
    new RegExp(`portico_relay_drops_total\\{reason="${reason}"\\} (\\d+)`).exec(metrics)?.[1] ?? 0,
  )
}

/** A value of a process's metrics. */
async function metric(url: string, name: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1])
}

const behindProxy = () => aWorld().withSettings({ TRUSTED_PROXIES: '127.0.0.1' })

test('relay: a frame of 1 MB is refused before it is read, in one piece and in fragments', async () => {
  await using world = await behindProxy()
  using pair = await pageAndWallet(world.url)
  using whole = await relayClient(world.url)
  whole.socket.send('x'.repeat(MEGABYTE))
  expect(await whole.closed).toBe(1009)
  using fragments = await relayClient(world.url)
  for (let each = 0; each < 60; each += 1) {
    fragments.socket.send('x'.repeat(16_384), { fin: false })
  }
  expect(await fragments.closed).toBe(1009)
  await pair.expectWorking()
})

test('relay: a connection that subscribes to 10,000 topics is closed after 256', async () => {
  await using world = await behindProxy().withRelayLimits({ framesAtOnce: 20_000 })
  using pair = await pageAndWallet(world.url)
  using greedy = await relayClient(world.url)
  for (let each = 0; each < 10_000; each += 1) greedy.subscribe(randomUUID())
  expect(await greedy.closed).toBe(4002)
  await vi.waitFor(async () => {
    expect(await metric(world.url, 'portico_relay_topics')).toBe(2)
  }, WAITS)
  await pair.expectWorking()
})

test('relay: endless frames of any content close their connection', async () => {
  await using world = await behindProxy()
  using pair = await pageAndWallet(world.url)
  const floods: Record<string, (client: RelayClient) => void> = {
    'bad JSON': ({ socket }) => socket.send('{'),
    binary: ({ socket }) => socket.send(Buffer.alloc(10)),
    nothing: ({ socket }) => socket.send(''),
    acknowledgements: ({ socket }) => socket.send('{"topic":"x","type":"ack","payload":""}'),
    subscriptions: ({ subscribe }) => subscribe('one and the same'),
    'deep JSON': ({ socket }) => socket.send('['.repeat(10_000)),
  }
  for (const [what, send] of Object.entries(floods)) {
    using flooding = await relayClient(world.url)
    for (let each = 0; each < 3000; each += 1) send(flooding)
    expect(await flooding.closed, what).toBe(4001)
  }
  await pair.expectWorking()
})

test('relay: a topic accepts 32 subscribers, and queues 256 messages or a megabyte', async () => {
  await using world = await behindProxy()
  using pair = await pageAndWallet(world.url)
  const topic = randomUUID()
  const readers = await Promise.all(Array.from({ length: 33 }, () => relayClient(world.url)))
  for (const reader of readers) reader.subscribe(topic)
  expect(await Promise.race(readers.map(({ closed }) => closed))).toBe(4003)
  for (const reader of readers) reader[Symbol.dispose]()

  using many = await relayClient(world.url)
  const absent = randomUUID()
  for (let each = 0; each < 257; each += 1) many.publish(absent, `${each}`)
  expect(await many.closed).toBe(4004)
  using large = await relayClient(world.url)
  const other = randomUUID()
  for (let each = 0; each < 5; each += 1) large.publish(other, 'x'.repeat(250_000))
  expect(await large.closed).toBe(4004)
  // Messages queued before are still there.
  using reader = await relayClient(world.url)
  reader.subscribe(absent)
  await vi.waitFor(() => expect(reader.frames).toHaveLength(256), WAITS)
  expect(reader.payloads()[255]).toBe('255')
  await pair.expectWorking()
})

test('relay: connections are counted by network, from a trusted proxy’s header only', async () => {
  await using world = await behindProxy().withRelayLimits({ connectionsPerNetwork: 5 })
  using pair = await pageAndWallet(world.url)
  const from = (address: string) =>
    relayClient(world.url, { headers: { 'x-forwarded-for': address } })
  const open: RelayClient[] = []
  for (let each = 0; each < 5; each += 1) open.push(await from(`2001:db8:7:8:${each}::1`))
  using sixth = await from('2001:db8:7:8:ffff::')
  expect(await sixth.closed).toBe(4005)
  using claimed = await from('203.0.113.1, 2001:db8:7:8::1')
  expect(await claimed.closed).toBe(4005)
  using neighbor = await from('2001:db8:7:9::1')
  await neighbor.settled()
  // A closed connection makes room.
  open[0]?.socket.close()
  await open[0]?.closed
  await vi.waitFor(async () => {
    using again = await from('2001:db8:7:8::1')
    await again.settled()
  }, WAITS)
  for (const client of open) client[Symbol.dispose]()
  await pair.expectWorking()
})

test('relay: forged addresses have no effect without a trusted proxy', async () => {
  await using world = await aWorld().withRelayLimits({ connectionsPerNetwork: 3 })
  const open = await Promise.all(
    Array.from({ length: 4 }, (_, each) =>
      relayClient(world.url, { headers: { 'x-forwarded-for': `203.0.113.${each}` } }),
    ),
  )
  expect(await Promise.race(open.map(({ closed }) => closed))).toBe(4005)
  for (const client of open) client[Symbol.dispose]()
})

test('relay: sent and queued bytes are limited per network over all its connections', async () => {
  await using world = await behindProxy().withRelayLimits({
    bytesAtOncePerNetwork: MEGABYTE,
    bytesPerSecondPerNetwork: 1000,
    queuedBytesPerNetwork: MEGABYTE / 8,
  })
  using pair = await pageAndWallet(world.url)
  const send = async (headers: Record<string, string>, frame: (client: RelayClient) => void) => {
    for (let each = 0; each < 30; each += 1) {
      using client = await relayClient(world.url, { headers })
      frame(client)
      await Promise.race([client.settled(), client.closed])
      if (client.socket.readyState !== client.socket.OPEN) return client.closed
    }
    return undefined
  }
  const payload = 'x'.repeat(60_000)
  const flood = { 'x-forwarded-for': '203.0.113.1' }
  expect(await send(flood, ({ socket }) => socket.send(payload))).toBe(4006)
  const hoard = { 'x-forwarded-for': '203.0.113.2' }
  await send(hoard, ({ publish }) => publish(randomUUID(), payload))
  await vi.waitFor(async () => {
    expect(await drops(world.url, 'network-queued')).toBeGreaterThan(0)
  }, WAITS)
  await pair.expectWorking()
})

test('relay: a client that never reads is cut off before it uses memory, and its messages are queued', async () => {
  await using world = await behindProxy().withRelayLimits({
    framesAtOnce: 10_000,
    bytesAtOncePerNetwork: 1000 * MEGABYTE,
  })
  using pair = await pageAndWallet(world.url)
  const topic = randomUUID()
  using unread = await relayClient(world.url)
  unread.subscribe(topic)
  await unread.settled()
  unread.socket.pause()
  using page = await relayClient(world.url)
  // Kernel buffers take some megabytes first; then the topic's queue fills, and further messages are refused.
  for (let each = 0; each < 200 && page.socket.readyState === page.socket.OPEN; each += 1) {
    page.publish(topic, 'x'.repeat(200_000))
    await Promise.race([page.settled(), page.closed])
  }
  expect(await page.closed).toBe(4004)
  await vi.waitFor(async () => expect(await drops(world.url, 'slow-reader')).toBe(1), WAITS)
  using reader = await relayClient(world.url)
  reader.subscribe(topic)
  await vi.waitFor(() => expect(reader.frames.length).toBeGreaterThan(0), WAITS)
  await pair.expectWorking()
})

test('relay: a connection that does not answer a ping is closed with all its subscriptions', async () => {
  await using world = await behindProxy().withRelayLimits({ pingEveryMs: 200 })
  using pair = await pageAndWallet(world.url)
  using silent = await relayClient(world.url)
  silent.subscribe(randomUUID())
  await silent.settled()
  silent.socket.pause()
  await vi.waitFor(async () => {
    expect(await drops(world.url, 'no-pong')).toBe(1)
    expect(await metric(world.url, 'portico_relay_topics')).toBe(2)
  }, WAITS)
  await pair.expectWorking()
})

test('relay: a flood of every kind from one network leaves memory bounded and others unaffected', {
  tags: 'exhaustive',
}, async () => {
  await using server: ServerProcess = await startServer({
    environment: { TRUSTED_PROXIES: '127.0.0.1' },
  })
  using pair = await pageAndWallet(server.url)
  const before = await metric(server.url, 'process_resident_memory_bytes')
  const headers = { 'x-forwarded-for': '203.0.113.1' }
  for (let round = 0; round < 4; round += 1) {
    const clients = await Promise.all(
      Array.from({ length: 150 }, () => relayClient(server.url, { headers })),
    )
    const topic = randomUUID()
    for (const [each, client] of clients.entries()) {
      if (each % 3 === 0) {
        client.subscribe(topic)
        client.socket.pause()
      }
      // A frame that never ends.
      if (each % 3 === 1) client.socket.send('x'.repeat(200_000), { fin: false })
      if (each % 3 === 2) {
        for (let sent = 0; sent < 20; sent += 1) client.publish(topic, 'x'.repeat(100_000))
      }
    }
    await pair.expectWorking()
    for (const client of clients) client[Symbol.dispose]()
  }
  await pair.expectWorking()
  const grown = (await metric(server.url, 'process_resident_memory_bytes')) - before
  // 160 MB were sent, this network may queue 32 MB, and V8 releases memory late.
  expect(grown / MEGABYTE).toBeLessThan(200)
})
