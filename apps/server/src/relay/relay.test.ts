/** Tests the relay alone against abusive clients. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { Registry } from 'prom-client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { listen } from '../../../../tests/support/listen.ts'
import { inProcessExchange } from './in-process-exchange.ts'
import { RELAY_LIMITS, type RelayLimits } from './limits.ts'
import { relayMetrics } from './metrics.ts'
import { openRelay } from './relay.ts'
import { openWebhooks } from './webhooks.ts'

const WAITS = { timeout: 10_000, interval: 5 }
const KILOBYTE = 1024
/** Limits so high that only the tested one takes effect. */
const ANY_FRAMES = { framesAtOnce: 1e6, bytesAtOncePerNetwork: 1e9 }

async function aRelay(limits: Partial<RelayLimits> = {}) {
  let now = 1_000_000_000_000
  const clock = () => now
  const registry = new Registry()
  const metrics = relayMetrics(registry)
  const all = { ...RELAY_LIMITS, ...limits }
  const { countDrops } = metrics
  const relay = openRelay({
    exchange: inProcessExchange({ clock, limits: all, countDrops }),
    webhooks: openWebhooks({ hosts: 'public', countDrops }),
    metrics,
    limits: all,
    clock,
    onUnread: () => undefined,
    onRefused: () => undefined,
  })
  const server = createServer()
  server.on('upgrade', (request, socket: Socket, head) =>
    relay.accept({ request, socket, head, network: String(request.headers['x-network']) }),
  )
  onTestFinished(async () => {
    await relay.close()
    server.close()
  })
  const port = await listen(server)

  async function connect(network = 'one') {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`, { headers: { 'x-network': network } })
    const texts: string[] = []
    socket.on('message', (data: Buffer) => texts.push(data.toString()))
    const closed = once(socket, 'close').then(([code]) => code as number)
    await once(socket, 'open')
    socket.on('error', () => undefined)
    const send = (frame: object) => socket.send(JSON.stringify(frame))
    return {
      socket,
      texts,
      closed,
      subscribe: (topic: string) => send({ topic, type: 'sub', payload: '' }),
      publish: (topic: string, payload = '') => send({ topic, type: 'pub', payload, silent: true }),
      fragment: (text = 'x') => socket.send(text, { fin: false }),
      async settled() {
        const pong = once(socket, 'pong')
        socket.ping()
        await pong
      },
    }
  }

  return {
    connect,
    pass(ms: number) {
      now += ms
    },
    drops: async (reason: string) => {
      const metric = await registry.getSingleMetric('portico_relay_drops_total')?.get()
      return metric?.values.find(({ labels }) => labels['reason'] === reason)?.value ?? 0
    },
  }
}

test('protocol 3.4: a message of more than 64 fragments is refused, even if they are small', async () => {
  const { connect } = await aRelay()
  const most = await connect()
  for (let each = 0; each < 63; each += 1) most.fragment()
  most.socket.send('x')
  await most.settled()
  const more = await connect()
  for (let each = 0; each < 65; each += 1) more.fragment()
  expect(await more.closed).toBe(1008)
})

test('protocol 3.4: data between two fragments is limited', async () => {
  const { connect, drops } = await aRelay(ANY_FRAMES)
  const padding = await connect()
  padding.fragment()
  let sent = 0
  while (padding.socket.readyState === WebSocket.OPEN) {
    for (let each = 0; each < 100; each += 1) padding.socket.pong('x'.repeat(125))
    sent += 100 * 131
    await new Promise((resolve) => setImmediate(resolve))
    if (sent > 100 * RELAY_LIMITS.unfinishedBytes) break
  }
  expect(await padding.closed).toBe(4008)
  expect(await drops('message-unfinished')).toBe(1)

  // The same pongs after a complete message are allowed.
  const fine = await connect()
  fine.fragment()
  fine.socket.send('x')
  for (let each = 0; each < 5000; each += 1) fine.socket.pong('x'.repeat(125))
  await fine.settled()
})

test('protocol 3.4: a message that is incomplete after 30 s closes its connection, with or without pongs', async () => {
  const { connect, pass } = await aRelay({ pingEveryMs: 100 })
  const [slow, honest] = [await connect(), await connect()]
  slow.fragment()
  honest.fragment()
  await Promise.all([slow.settled(), honest.settled()])
  pass(29_000)
  honest.socket.send('x')
  honest.fragment()
  await Promise.all([slow.settled(), honest.settled()])
  pass(1000)
  expect(await slow.closed).toBe(4008)
  expect(honest.socket.readyState).toBe(WebSocket.OPEN)
})

test('protocol 3.4: a message that has just begun when its connection is checked may be completed', async () => {
  const { connect, pass } = await aRelay({ pingEveryMs: 100 })
  const [reader, writer] = [await connect(), await connect()]
  reader.subscribe('topic')
  await reader.settled()
  const text = JSON.stringify({ topic: 'topic', type: 'pub', payload: 'hello', silent: true })
  for (const expected of [1, 2]) {
    writer.fragment(text.slice(0, 10))
    await writer.settled()
    // Every connection is checked during this time.
    pass(1000)
    await new Promise((resolve) => setTimeout(resolve, 250))
    writer.socket.send(text.slice(10), { fin: true })
    await vi.waitFor(() => expect(reader.texts).toHaveLength(expected), WAITS)
    pass(60_000)
  }
  expect(writer.socket.readyState).toBe(WebSocket.OPEN)
})

test('9 the unfinished messages of all networks are limited in total, and complete ones still pass', async () => {
  const { connect } = await aRelay({ unfinishedBytesPerNode: 300 * KILOBYTE })
  const hoard = async (network: string) => {
    const client = await connect(network)
    client.fragment('x'.repeat(100 * KILOBYTE))
    await Promise.race([client.settled(), client.closed])
    return client
  }
  const [first] = [await hoard('one'), await hoard('two')]
  const third = await hoard('three')
  expect(await third.closed).toBe(1013)
  const [reader, writer] = [await connect('four'), await connect('five')]
  reader.subscribe('topic')
  await reader.settled()
  writer.publish('topic', 'hello')
  await vi.waitFor(() => expect(reader.texts).toHaveLength(1), WAITS)
  // A closed connection frees its share.
  first.socket.terminate()
  await first.closed
  await vi.waitFor(async () => {
    const again = await hoard('six')
    expect(again.socket.readyState).toBe(WebSocket.OPEN)
  }, WAITS)
})

test.each(['ping', 'pong'] as const)(
  'protocol 3.4: each %s counts as a frame for its connection and its network',
  async (kind) => {
    const { connect, drops } = await aRelay()
    const flood = await connect()
    for (let each = 0; each < 1001 && flood.socket.readyState === WebSocket.OPEN; each += 1) {
      flood.socket[kind]()
      // The library terminates a connection that does not read its pongs.
      if (each % 10 === 0) await Promise.race([flood.settled(), flood.closed])
    }
    // Frames in flight may reset the connection before the close code is read.
    await flood.closed
    expect(await drops('too-many-frames')).toBe(1)

    // A masked frame without a payload has six bytes.
    const tenFrames = 10 * (6 + RELAY_LIMITS.frameCostBytes)
    const poor = await aRelay({ bytesAtOncePerNetwork: tenFrames, bytesPerSecondPerNetwork: 1 })
    const [one, two] = [await poor.connect('same'), await poor.connect('same')]
    for (let each = 0; each < 5; each += 1) one.socket[kind]()
    for (let each = 0; each < 6; each += 1) two.socket[kind]()
    expect(await Promise.race([one.closed, two.closed])).toBe(4006)
    const other = await poor.connect('other')
    other.socket[kind]()
    await other.settled()
  },
)

test('9 data after the frame that closed a connection is not read', async () => {
  const { connect, drops } = await aRelay()
  const flood = await connect()
  const watcher = await connect('another')
  watcher.subscribe('topic')
  await watcher.settled()
  for (let each = 0; each < 20_000; each += 1) flood.publish('topic')
  expect(await flood.closed).toBe(4001)
  await watcher.settled()
  expect(watcher.texts.length).toBeLessThanOrEqual(RELAY_LIMITS.framesAtOnce)
  expect(await drops('too-many-frames')).toBe(1)
})

test('9 topics are counted by network and released by connections that close', async () => {
  const { connect } = await aRelay({ topicsPerNetwork: 10 })
  const first = await connect()
  for (let each = 0; each < 10; each += 1) first.subscribe(randomUUID())
  await first.settled()
  const second = await connect()
  second.subscribe(randomUUID())
  expect(await second.closed).toBe(4009)
  const other = await connect('other')
  other.subscribe(randomUUID())
  await other.settled()
  first.socket.terminate()
  await first.closed
  await vi.waitFor(async () => {
    const third = await connect()
    third.subscribe(randomUUID())
    await third.settled()
  }, WAITS)
})

test('9 an attacker who takes every place of a topic is displaced by its owner, who stays', async () => {
  const { connect } = await aRelay()
  const strangers = []
  for (let each = 0; each < RELAY_LIMITS.connectionsPerTopic; each += 1) {
    const stranger = await connect('stranger')
    stranger.subscribe('topic')
    await stranger.settled()
    strangers.push(stranger)
  }
  const [owner, wallet] = [await connect('owner'), await connect('wallet')]
  owner.subscribe('topic')
  expect(await Promise.race(strangers.map(({ closed }) => closed))).toBe(4003)
  await owner.settled()
  const one = await connect('stranger')
  one.subscribe('topic')
  expect(await one.closed).toBe(4003)
  wallet.publish('topic', 'for the owner')
  await vi.waitFor(() => expect(owner.texts).toHaveLength(1), WAITS)
})

test('9 an attacker who fills the queue of a topic closes only its own connection', async () => {
  const { connect, drops } = await aRelay()
  const [stranger, owner] = [await connect('stranger'), await connect('owner')]
  for (let each = 0; each < RELAY_LIMITS.queuedMessagesPerTopic; each += 1) {
    stranger.publish('topic')
  }
  await stranger.settled()
  owner.publish('topic', 'too much waits already')
  await owner.settled()
  expect(await drops('queue-full')).toBe(1)
  expect(owner.socket.readyState).toBe(WebSocket.OPEN)
  stranger.publish('topic')
  expect(await stranger.closed).toBe(4004)
})

test('9 queued messages count against a network with their memory, not their length', async () => {
  // Three short messages count more than three thousand bytes.
  const { connect } = await aRelay({ queuedBytesPerNetwork: 4000 })
  const client = await connect()
  for (let each = 0; each < 3; each += 1) client.publish(randomUUID())
  await client.settled()
  client.publish(randomUUID())
  expect(await client.closed).toBe(4007)
})
