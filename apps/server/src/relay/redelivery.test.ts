/** Tests that messages survive readers and nodes that stop before a message is acknowledged. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { listen } from '../../../../tests/support/listen.ts'
import { openRedis, type RedisConnections } from '../redis/redis.ts'
import { ownTestRedis, TEST_REDIS_URL } from '../redis/testing.ts'
import type { OpenExchange } from './exchange.ts'
import { inProcessExchange } from './in-process-exchange.ts'
import { RELAY_LIMITS, type RelayLimits } from './limits.ts'
import { relayMetrics } from './metrics.ts'
import { redisExchange } from './redis-exchange.ts'
import { openRelay } from './relay.ts'
import { openWebhooks } from './webhooks.ts'

const WAITS = { timeout: 10_000, interval: 5 }
const LOG = pino({ level: 'silent' })

/** Opens a node on the exchange that it is given. */
async function aNode(open: (limits: RelayLimits) => OpenExchange, some: Partial<RelayLimits> = {}) {
  const metrics = relayMetrics(new Registry())
  const limits = { ...RELAY_LIMITS, ...some }
  const unread: string[] = []
  const relay = openRelay({
    exchange: open(limits),
    webhooks: openWebhooks({ hosts: 'public', countDrops: metrics.countDrops }),
    metrics,
    limits,
    clock: Date.now,
    onUnread: (topic) => void unread.push(topic),
    onRefused: () => undefined,
  })
  const server = createServer()
  server.on('upgrade', (request, socket: Socket, head) =>
    relay.accept({ request, socket, head, network: request.url ?? '' }),
  )
  onTestFinished(async () => {
    await relay.close()
    server.close()
  })
  const port = await listen(server)
  return { relay, unread, connect: (network = 'one') => aClient(port, network) }
}

async function aClient(port: number, network: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/${network}`)
  const received: string[] = []
  socket.on('message', (data: Buffer) =>
    received.push((JSON.parse(data.toString()) as { payload: string }).payload),
  )
  await once(socket, 'open')
  socket.on('error', () => undefined)
  const send = (frame: object) => socket.send(JSON.stringify(frame))
  const acknowledge = (topic: string) => send({ topic, type: 'ack', payload: '' })
  return {
    socket,
    received,
    acknowledge,
    /** Subscribes as a client that acknowledges. */
    read(topic: string) {
      acknowledge(topic)
      send({ topic, type: 'sub', payload: '' })
    },
    subscribe: (topic: string) => send({ topic, type: 'sub', payload: '' }),
    publish: (topic: string, payload: string, silent = true) =>
      send({ topic, type: 'pub', payload, silent }),
    async settled() {
      const pong = once(socket, 'pong')
      socket.ping()
      await pong
    },
    async terminate() {
      const closed = once(socket, 'close')
      socket.terminate()
      await closed
    },
  }
}

type Client = Awaited<ReturnType<typeof aClient>>

/** Waits until messages to the topic reach these readers, which acknowledge the probes. */
async function waitUntilRead(page: Client, topic: string, ...readers: readonly Client[]) {
  const probe = randomUUID()
  for (const reader of readers) await reader.settled()
  await vi.waitFor(async () => {
    page.publish(topic, probe)
    await page.settled()
    for (const { received } of readers) expect(received).toContain(probe)
  }, WAITS)
  // Later probes may be on their way.
  page.publish(topic, 'last')
  for (const reader of readers) {
    await vi.waitFor(() => expect(reader.received.at(-1)).toBe('last'), WAITS)
    for (const _ of reader.received.splice(0)) reader.acknowledge(topic)
    await reader.settled()
  }
}

const inProcess = async () => (limits: RelayLimits) =>
  inProcessExchange({ clock: Date.now, limits, countDrops: () => undefined })

async function onRedis() {
  const redis = await ownTestRedis()
  onTestFinished(async () => {
    await redis.commands.flushdb()
    await redis.close()
  })
  return through(redis)
}

const through = (redis: RedisConnections) => (limits: RelayLimits) =>
  redisExchange({ redis, clock: Date.now, limits, countDrops: () => undefined, log: LOG })

const FORMS = [
  ['in process', inProcess] as const,
  ...(TEST_REDIS_URL === undefined ? [] : [['through Redis', onRedis] as const]),
]

describe.each(FORMS)('a relay %s', (_name, exchange) => {
  test('protocol 3.4: messages to a reader that is killed reach the next one first, in order, and are announced', async () => {
    const { connect, unread } = await aNode(await exchange())
    const topic = randomUUID()
    const [page, wallet] = [await connect(), await connect()]
    wallet.read(topic)
    await waitUntilRead(page, topic, wallet)
    for (const text of ['1', '2', '3']) page.publish(topic, text, text !== '2')
    await vi.waitFor(() => expect(wallet.received).toEqual(['1', '2', '3']), WAITS)
    wallet.acknowledge(topic)
    await wallet.settled()
    await wallet.terminate()
    await vi.waitFor(() => expect(unread).toEqual([topic]), WAITS)
    page.publish(topic, '4')
    await page.settled()
    const next = await connect()
    next.read(topic)
    await vi.waitFor(() => expect(next.received).toEqual(['2', '3', '4']), WAITS)
  })

  test('protocol 3.4: the first message after waking is not lost, as often as the reader is killed', async () => {
    const { connect } = await aNode(await exchange())
    const topic = randomUUID()
    const page = await connect()
    page.publish(topic, 'request')
    await page.settled()
    for (let each = 0; each < 5; each += 1) {
      const wallet = await connect()
      wallet.read(topic)
      await vi.waitFor(() => expect(wallet.received).toEqual(['request']), WAITS)
      await wallet.terminate()
    }
    const wallet = await connect()
    wallet.read(topic)
    await vi.waitFor(() => expect(wallet.received).toEqual(['request']), WAITS)
    wallet.acknowledge(topic)
    await wallet.settled()
    await wallet.terminate()
    const last = await connect()
    last.read(topic)
    await waitUntilRead(page, topic, last)
    expect(last.received).toEqual([])
  })

  test('protocol 3.4: a reader that is killed before it handles a full queue loses nothing of it', async () => {
    const { connect } = await aNode(await exchange())
    const topic = randomUUID()
    const page = await connect()
    const texts = Array.from(
      { length: RELAY_LIMITS.queuedMessagesPerTopic },
      (_, index) => `${index}`,
    )
    for (const text of texts) page.publish(topic, text)
    await page.settled()
    for (let each = 0; each < 2; each += 1) {
      const wallet = await connect()
      wallet.read(topic)
      await vi.waitFor(() => expect(wallet.received).toEqual(texts), WAITS)
      await wallet.terminate()
    }
  })

  test('protocol 3.3: for a client that never acknowledges, a delivered message is received', async () => {
    const { connect } = await aNode(await exchange())
    const topic = randomUUID()
    const [page, dart, next] = [await connect(), await connect(), await connect()]
    dart.subscribe(topic)
    page.publish(topic, 'once')
    await vi.waitFor(() => expect(dart.received).toEqual(['once']), WAITS)
    await dart.terminate()
    await page.settled()
    next.subscribe(topic)
    await next.settled()
    await vi.waitFor(async () => {
      page.publish(topic, 'probe')
      await page.settled()
      expect(next.received.length).toBeGreaterThan(0)
    }, WAITS)
    expect(new Set(next.received)).toEqual(new Set(['probe']))
  })

  test('protocol 3.4: with two readers, a message is repeated only if neither acknowledged it', async () => {
    const { connect } = await aNode(await exchange())
    const topic = randomUUID()
    const [page, one, two] = [await connect(), await connect(), await connect()]
    one.read(topic)
    two.read(topic)
    await waitUntilRead(page, topic, one, two)
    page.publish(topic, 'acknowledged by two')
    page.publish(topic, 'by none')
    for (const { received } of [one, two]) {
      await vi.waitFor(() => expect(received).toEqual(['acknowledged by two', 'by none']), WAITS)
    }
    two.acknowledge(topic)
    await two.settled()
    await one.terminate()
    await page.settled()
    expect(two.received).toHaveLength(2)
    const three = await connect()
    three.read(topic)
    await three.settled()
    await two.terminate()
    await vi.waitFor(() => expect(three.received).toEqual(['by none']), WAITS)
  })

  test('protocol 3.4: a reader that answers no ping loses nothing', async () => {
    const { connect } = await aNode(await exchange(), { pingEveryMs: 300 })
    const topic = randomUUID()
    const [page, wallet] = [await connect(), await connect()]
    wallet.read(topic)
    await waitUntilRead(page, topic, wallet)
    wallet.socket.pause()
    page.publish(topic, 'request')
    await page.settled()
    await new Promise((resolve) => setTimeout(resolve, 900))
    const next = await connect()
    next.read(topic)
    await vi.waitFor(() => expect(next.received).toEqual(['request']), WAITS)
    wallet.socket.terminate()
  })

  test('9 a flood of acknowledgements acknowledges nothing in advance', async () => {
    const { connect } = await aNode(await exchange())
    const topic = randomUUID()
    const [page, wallet] = [await connect(), await connect()]
    wallet.read(topic)
    for (let each = 0; each < 500; each += 1) wallet.acknowledge(each % 2 === 0 ? topic : 'other')
    await wallet.settled()
    page.publish(topic, 'request')
    await vi.waitFor(() => expect(wallet.received).toEqual(['request']), WAITS)
    await wallet.terminate()
    const next = await connect()
    next.read(topic)
    await vi.waitFor(() => expect(next.received).toEqual(['request']), WAITS)
  })

  test('9 a client that publishes to itself and never acknowledges queues no more than its network may', async () => {
    const { connect } = await aNode(await exchange(), { queuedBytesPerNetwork: 2500 })
    const topic = randomUUID()
    const client = await connect()
    client.read(topic)
    // Probes of its own that are queued would count for its network.
    await waitUntilRead(await connect('two'), topic, client)
    for (let each = 0; each < 5; each += 1) client.publish(topic, 'x')
    // One that is on its way when its reader stops is queued in addition.
    await vi.waitFor(() => expect(client.received).toHaveLength(5), WAITS)
    await client.terminate()
    const next = await connect()
    next.read(topic)
    await vi.waitFor(() => expect(next.received).toEqual(['x', 'x']), WAITS)
  })
})

test.runIf(TEST_REDIS_URL !== undefined)(
  'protocol 3.4: a node that stops queues what its readers have not acknowledged, for another',
  async () => {
    const redis = await ownTestRedis()
    const another = await openRedis(`${TEST_REDIS_URL}/${redis.commands.options.db}`, LOG)
    onTestFinished(async () => {
      await redis.commands.flushdb()
      for (const each of [redis, another]) await each.close()
    })
    const [first, second] = [await aNode(through(redis)), await aNode(through(another))]
    const topic = randomUUID()
    const [page, wallet] = [await first.connect(), await first.connect()]
    wallet.read(topic)
    await waitUntilRead(page, topic, wallet)
    for (const text of ['1', '2']) page.publish(topic, text)
    await vi.waitFor(() => expect(wallet.received).toEqual(['1', '2']), WAITS)
    const stopped = first.relay.close()
    // It may still arrive while the node stops.
    wallet.acknowledge(topic)
    await stopped
    const next = await second.connect()
    next.read(topic)
    await vi.waitFor(() => expect(next.received).toEqual(['2']), WAITS)
  },
)
