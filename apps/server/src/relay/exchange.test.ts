import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openRedis } from '../redis/redis.ts'
import { ownTestRedis, TEST_REDIS_URL } from '../redis/testing.ts'
import {
  type Exchange,
  type Message,
  type OpenExchange,
  type PublishResult,
  queuedCost,
} from './exchange.ts'
import { inProcessExchange } from './in-process-exchange.ts'
import { RELAY_LIMITS, type RelayLimits } from './limits.ts'
import { redisExchange } from './redis-exchange.ts'
import { CLAIM, SETTLE } from './redis-scripts.ts'

const HOUR_MS = 60 * 60 * 1000
const WAITS = { timeout: 10_000, interval: 5 }

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

/** A fake relay on one node, with the messages that it received. */
interface Reader {
  readonly exchange: Exchange
  readonly received: string[]
  readonly drops: string[]
  /** Adds a reader of a topic to this node. */
  readonly listen: (topic: string) => void
  readonly leave: (topic: string) => void
  /** Returns the received messages with these texts, because their reader was lost. */
  readonly lose: (topic: string, texts: readonly string[]) => void
  /** Makes deliveries to a topic's readers fail, as after an unnoticed disconnection. */
  readonly fail: (topic: string) => void
  readonly publish: (topic: string, text: string) => Promise<PublishResult>
}

function openReader(open: OpenExchange, drops: string[]): Reader {
  const received: string[] = []
  const messages: Message[] = []
  const topics = new Set<string>()
  const failed = new Set<string>()
  const exchange = open((topic, message) => {
    if (topics.has(topic) && !failed.has(topic)) {
      received.push(message.text)
      messages.push(message)
      return true
    }
    leave(topic)
    return false
  })
  function leave(topic: string): void {
    failed.delete(topic)
    if (topics.delete(topic)) exchange.leave(topic)
  }
  return {
    exchange,
    received,
    drops,
    listen(topic) {
      if (topics.has(topic)) return
      topics.add(topic)
      exchange.listen(topic)
    },
    leave,
    lose(topic, texts) {
      const lost = texts.flatMap((text) => messages.findLast((each) => each.text === text) ?? [])
      exchange.requeue(topic, lost, () => undefined)
    },
    fail: (topic) => void failed.add(topic),
    publish: (topic, text) =>
      new Promise((resolve) => exchange.publish({ topic, text, withWebhooks: true }, resolve)),
  }
}

let now = 1_000_000_000_000
const clock = () => now

/** Nodes that share a Redis, or a single one in process. */
type Nodes = (count: number, limits?: Partial<RelayLimits>) => Promise<readonly Reader[]>

const inProcess: Nodes = async (count, limits) => {
  const drops: string[] = []
  const deps = {
    clock,
    limits: { ...RELAY_LIMITS, ...limits },
    countDrops: (reason: string) => void drops.push(reason),
  }
  const one = openReader(inProcessExchange(deps), drops)
  return Array.from({ length: count }, () => one)
}

const onRedis: Nodes = async (count, limits) => {
  const first = await ownTestRedis()
  const database = first.commands.options.db
  const others = Array.from({ length: count - 1 }, () =>
    openRedis(`${TEST_REDIS_URL}/${database}`, pino({ level: 'silent' })),
  )
  const all = [first, ...(await Promise.all(others))]
  for (const each of all) opened.push(each.close)
  opened.push(async () => void (await first.commands.flushdb()))
  return all.map((redis) => {
    const drops: string[] = []
    const deps = {
      redis,
      clock,
      limits: { ...RELAY_LIMITS, ...limits },
      countDrops: (reason: string) => void drops.push(reason),
      log: pino({ level: 'silent' }),
    }
    return openReader(redisExchange(deps), drops)
  })
}

const FORMS: readonly (readonly [string, Nodes])[] = [
  ['in process', inProcess],
  ...(TEST_REDIS_URL === undefined ? [] : [['through Redis', onRedis] as const]),
]

/** Waits until published messages reach the reader, then discards the probes. */
async function waitUntilDelivered(reader: Reader, from: Reader, topic: string): Promise<void> {
  let probes = 0
  // 'delivered' may mean another reader of the topic.
  await vi.waitFor(async () => {
    probes += 1
    expect((await from.publish(topic, `probe ${probes}`)).outcome).toBe('delivered')
    expect(reader.received).not.toEqual([])
  }, WAITS)
  await vi.waitFor(() => expect(reader.received).toContain(`probe ${probes}`), WAITS)
  reader.received.splice(0)
}

describe.each(FORMS)('an exchange %s', (_name, nodes) => {
  test('protocol 3.4: a message goes to a reader on any node and to no one else', async () => {
    const [page, wallet] = (await nodes(2)) as [Reader, Reader]
    const [topic, other] = [randomUUID(), randomUUID()]
    wallet.listen(topic)
    page.listen(other)
    await waitUntilDelivered(wallet, page, topic)
    page.received.splice(0)
    expect(await page.publish(topic, 'one')).toMatchObject({ outcome: 'delivered', webhooks: [] })
    await vi.waitFor(() => expect(wallet.received).toEqual(['one']), WAITS)
  })

  test('protocol 3.4: messages without a reader are queued and delivered once, oldest first', async () => {
    const [page, wallet] = (await nodes(2)) as [Reader, Reader]
    const topic = randomUUID()
    const texts = Array.from({ length: 50 }, (_, each) => `message ${each}`)
    const outcomes = await Promise.all(texts.map((text) => page.publish(topic, text)))
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['queued']))
    expect(await page.exchange.waiting()).toBe(1)
    wallet.listen(topic)
    await vi.waitFor(() => expect(wallet.received).toEqual(texts), WAITS)
    await vi.waitFor(async () => expect(await page.exchange.waiting()).toBe(0), WAITS)
    wallet.leave(topic)
    wallet.received.splice(0)
    wallet.listen(topic)
    await waitUntilDelivered(wallet, page, topic)
    expect(wallet.received).toEqual([])
  })

  test('protocol 3.4: queued messages expire after a day', async () => {
    const [page, wallet] = (await nodes(2)) as [Reader, Reader]
    const topic = randomUUID()
    await page.publish(topic, 'old')
    now += 23 * HOUR_MS
    await page.publish(topic, 'new')
    now += HOUR_MS
    wallet.listen(topic)
    await vi.waitFor(() => expect(wallet.received).toEqual(['new']), WAITS)
    expect(wallet.drops).toEqual(['expired'])
  })

  test('7.4 a topic queues a limited number of messages and bytes; queued ones stay', async () => {
    const [page, wallet] = (await nodes(2, {
      queuedMessagesPerTopic: 3,
      queuedBytesPerTopic: 1000,
    })) as [Reader, Reader]
    const [many, large] = [randomUUID(), randomUUID()]
    for (const text of ['1', '2', '3']) await page.publish(many, text)
    expect((await page.publish(many, '4')).outcome).toBe('queue-full')
    expect((await page.publish(large, 'x'.repeat(600))).outcome).toBe('queued')
    expect((await page.publish(large, 'x'.repeat(600))).outcome).toBe('queue-full')
    wallet.listen(many)
    await vi.waitFor(() => expect(wallet.received).toEqual(['1', '2', '3']), WAITS)
    wallet.leave(many)
    // Freed space can be used again.
    await vi.waitFor(async () => {
      expect((await page.publish(many, 'again')).outcome).toBe('queued')
    }, WAITS)
  })

  test('protocol 3.4: if a reader leaves during delivery, that message and the rest stay queued for the next', async () => {
    const [page, wallet] = (await nodes(2)) as [Reader, Reader]
    const topic = randomUUID()
    wallet.listen(topic)
    await waitUntilDelivered(wallet, page, topic)
    wallet.fail(topic)
    const texts = ['one', 'two', 'three']
    for (const text of texts) await page.publish(topic, text)
    await vi.waitFor(async () => expect(await page.exchange.waiting()).toBe(1), WAITS)
    expect(wallet.received).toEqual([])
    wallet.listen(topic)
    await vi.waitFor(() => expect(wallet.received).toHaveLength(3), WAITS)
    expect(wallet.received).toEqual(texts)
  })

  test('protocol 3.4: messages published while a reader comes and goes are neither lost nor duplicated', async () => {
    const [page, wallet] = (await nodes(2, { queuedMessagesPerTopic: 1000 })) as [Reader, Reader]
    const topic = randomUUID()
    const texts = Array.from({ length: 400 }, (_, each) => `message ${each}`)
    const published: Promise<PublishResult>[] = []
    for (const [each, text] of texts.entries()) {
      published.push(page.publish(topic, text))
      if (each % 7 === 0) wallet.listen(topic)
      if (each % 7 === 3) wallet.leave(topic)
      if (each % 20 === 0) await new Promise((resolve) => setTimeout(resolve, each % 3))
    }
    await Promise.all(published)
    wallet.listen(topic)
    await vi.waitFor(() => expect(wallet.received.length).toBeGreaterThanOrEqual(400), WAITS)
    expect(wallet.received.toSorted()).toEqual(texts.toSorted())
  })

  test('protocol 3.4: lost messages come before newer ones, once, and expire when they would have', async () => {
    const [page, wallet] = (await nodes(2)) as [Reader, Reader]
    const topic = randomUUID()
    wallet.listen(topic)
    await waitUntilDelivered(wallet, page, topic)
    for (const text of ['one', 'two', 'three']) await page.publish(topic, text)
    await vi.waitFor(() => expect(wallet.received).toEqual(['one', 'two', 'three']), WAITS)
    wallet.leave(topic)
    await vi.waitFor(async () => {
      expect((await page.publish(topic, 'probe')).outcome).toBe('queued')
    }, WAITS)
    now += HOUR_MS
    await page.publish(topic, 'four')
    wallet.lose(topic, ['two', 'three'])
    wallet.received.splice(0)
    await vi.waitFor(() => {
      wallet.leave(topic)
      wallet.listen(topic)
      expect(wallet.received.filter((text) => text !== 'probe')).toEqual(['two', 'three', 'four'])
    }, WAITS)
    wallet.leave(topic)
    wallet.lose(topic, ['two', 'four'])
    wallet.received.splice(0)
    now += 23 * HOUR_MS
    wallet.listen(topic)
    await vi.waitFor(() => expect(wallet.received).toEqual(['four']), WAITS)
  })

  test('protocol 3.4: a lost message goes to a reader that arrives at that moment, with none lost or repeated', async () => {
    const [page, wallet] = (await nodes(2)) as [Reader, Reader]
    for (let round = 0; round < 30; round += 1) {
      const topic = randomUUID()
      wallet.listen(topic)
      await waitUntilDelivered(wallet, page, topic)
      const texts = ['one', 'two', 'three'].map((text) => `${round} ${text}`)
      for (const text of texts) await page.publish(topic, text)
      await vi.waitFor(() => expect(wallet.received).toEqual(texts), WAITS)
      page.received.splice(0)
      wallet.received.splice(0)
      const steps = [
        () => (wallet.leave(topic), wallet.lose(topic, texts)),
        () => page.listen(topic),
        () => void page.publish(topic, `${round} four`),
      ]
      const [first, ...others] = [...steps.slice(round % 3), ...steps.slice(0, round % 3)]
      first?.()
      if (round % 2 === 0) await new Promise((resolve) => setTimeout(resolve, round % 4))
      for (const step of others) step()
      const received = () => [...(page === wallet ? [] : wallet.received), ...page.received]
      await vi.waitFor(() => {
        page.listen(topic)
        expect(received().filter((text) => text !== `${round} four`)).toEqual(texts)
        expect(received().filter((text) => text === `${round} four`)).toHaveLength(1)
      }, WAITS)
      page.leave(topic)
      page.received.splice(0)
    }
  })

  test('7.4 lost messages respect the limits of the queue', async () => {
    const [page, wallet] = (await nodes(2, { queuedMessagesPerTopic: 3 })) as [Reader, Reader]
    const topic = randomUUID()
    wallet.listen(topic)
    await waitUntilDelivered(wallet, page, topic)
    const texts = ['one', 'two', 'three', 'four']
    for (const text of texts) await page.publish(topic, text)
    await vi.waitFor(() => expect(wallet.received).toEqual(texts), WAITS)
    wallet.received.splice(0)
    wallet.leave(topic)
    wallet.lose(topic, texts)
    await vi.waitFor(() => expect(wallet.drops).toEqual(['queue-full']), WAITS)
    wallet.listen(topic)
    await vi.waitFor(() => expect(wallet.received).toEqual(['one', 'two', 'three']), WAITS)
  })

  test('protocol 3.5: publishing returns the topic’s webhooks, at most four', async () => {
    const [page, other] = (await nodes(2)) as [Reader, Reader]
    const topic = randomUUID()
    const network = 'one'
    const urls = [1, 2, 3, 4].map((each) => `https://push.example/${each}`)
    for (const url of [...urls, ...urls]) {
      expect(await other.exchange.addWebhook({ topic, url, network })).toBe(true)
    }
    expect(await other.exchange.addWebhook({ topic, url: 'https://push.example/5', network })).toBe(
      false,
    )
    const { webhooks } = await page.publish(topic, 'one')
    expect(webhooks.toSorted()).toEqual(urls)
    const silent = await new Promise<PublishResult>((resolve) =>
      page.exchange.publish({ topic, text: 'two', withWebhooks: false }, resolve),
    )
    expect(silent.webhooks).toEqual([])
  })

  test('protocol 3.5: a network has webhooks for a limited number of topics, which expire', async () => {
    const [one] = (await nodes(1, { webhookTopicsPerNetwork: 3 })) as [Reader]
    const add = (topic: string, network = 'one') =>
      one.exchange.addWebhook({ topic, url: 'https://push.example/', network })
    const topics = [1, 2, 3].map(() => randomUUID())
    for (const topic of topics) expect(await add(topic)).toBe(true)
    const [known = ''] = topics
    const fourth = randomUUID()
    expect(await add(fourth)).toBe(false)
    expect(await add(known)).toBe(true)
    expect(await add(fourth, 'another')).toBe(true)
    // Another network may register for an existing topic.
    expect(await add(fourth)).toBe(true)
  })

  test('an exchange that can be reached is ready', async () => {
    const [one] = (await nodes(1)) as [Reader]
    expect(await one.exchange.ready()).toBe(true)
  })
})

test('7.4 in process, the bytes of all topics together are limited, and expiry frees them', async () => {
  const text = 'x'.repeat(600)
  const [one] = (await inProcess(1, { queuedBytesPerNode: queuedCost(text) * 1.5 })) as [Reader]
  expect(await one.publish('a', text)).toMatchObject({ outcome: 'queued', cost: queuedCost(text) })
  expect(await one.publish('b', text)).toMatchObject({ outcome: 'relay-full', cost: 0 })
  now += 24 * HOUR_MS
  one.exchange.sweep()
  expect((await one.publish('b', 'x'.repeat(600))).outcome).toBe('queued')
  expect(await one.exchange.waiting()).toBe(1)
})

test('7.4 a queued message counts a kilobyte plus its length, doubled if it is not ASCII', () => {
  expect(queuedCost('')).toBe(1024)
  expect(queuedCost('x'.repeat(1000))).toBe(2024)
  expect(queuedCost('€'.repeat(1000))).toBe(3024)
})

test('protocol 3.5: in process, a network that fills the webhook table evicts only its own topics', async () => {
  const limits = { webhookTopicsPerNetwork: 4000 }
  const [one] = (await inProcess(1, limits)) as [Reader]
  const add = (topic: string, network: string) =>
    one.exchange.addWebhook({ topic, url: 'https://push.example/', network })
  expect(await add('of a phone', 'a phone')).toBe(true)
  for (const network of ['flood 1', 'flood 2', 'flood 3']) {
    for (let each = 0; each < 4000; each += 1) await add(`${network} ${each}`, network)
  }
  expect(await add('of another phone', 'another phone')).toBe(true)
  const isKnown = async (topic: string) => (await one.publish(topic, 'x')).webhooks.length === 1
  expect(await isKnown('of a phone')).toBe(true)
  expect(await isKnown('of another phone')).toBe(true)
  expect(await isKnown('flood 1 0')).toBe(false)
})

describe.runIf(TEST_REDIS_URL !== undefined)('nodes', () => {
  test.each([
    ['claim', CLAIM],
    ['settlement', SETTLE],
  ])(
    'protocol 3.4: if Redis refuses the %s of a queue once, the reader still gets its messages',
    async (_name, refused) => {
      const redis = await ownTestRedis()
      opened.push(redis.close, async () => void (await redis.commands.flushdb()))
      const limits = RELAY_LIMITS
      const log = pino({ level: 'silent' })
      const reader = openReader(
        redisExchange({ redis, clock, limits, countDrops: () => undefined, log }),
        [],
      )
      const topic = randomUUID()
      await reader.publish(topic, 'queued')
      const { commands } = redis
      const send = commands.sendCommand.bind(commands)
      let refusals = 0
      commands.sendCommand = (command, stream) => {
        if (command.args[0] === refused && refusals === 0) {
          refusals += 1
          command.reject(new Error('OOM command not allowed'))
          return command.promise
        }
        return send(command, stream)
      }
      reader.listen(topic)
      await vi.waitFor(() => expect(reader.received).toEqual(['queued']), WAITS)
      await reader.publish(topic, 'next')
      await vi.waitFor(() => expect(reader.received).toEqual(['queued', 'next']), WAITS)
      expect(refusals).toBe(1)
    },
  )

  test('protocol 3.4: if two nodes subscribe at once, one of them delivers the queue', async () => {
    const [page, one, two] = (await onRedis(3)) as [Reader, Reader, Reader]
    for (let round = 0; round < 20; round += 1) {
      const topic = randomUUID()
      const texts = ['one', 'two', 'three'].map((text) => `${round} ${text}`)
      for (const text of texts) await page.publish(topic, text)
      one.listen(topic)
      two.listen(topic)
      await vi.waitFor(() => {
        const received = [...one.received, ...two.received].filter((text) =>
          text.startsWith(`${round} `),
        )
        expect(received).toEqual(texts)
      }, WAITS)
    }
  })

  test('protocol 3.4: a message that reached two nodes is lost only if both lose it', async () => {
    const [page, one, two] = (await onRedis(3)) as [Reader, Reader, Reader]
    const topic = randomUUID()
    for (const each of [one, two]) each.listen(topic)
    for (const each of [one, two]) await waitUntilDelivered(each, page, topic)
    for (const text of ['kept', 'lost']) await page.publish(topic, text)
    for (const each of [one, two]) {
      await vi.waitFor(() => expect(each.received.at(-1)).toBe('lost'), WAITS)
      each.leave(topic)
    }
    one.lose(topic, ['kept', 'lost'])
    two.lose(topic, ['lost'])
    page.listen(topic)
    await vi.waitFor(() => expect(page.received).toEqual(['lost']), WAITS)
  })

  test('protocol 3.4: readers of a topic on several nodes all receive a message', async () => {
    const [page, one, two] = (await onRedis(3)) as [Reader, Reader, Reader]
    const topic = randomUUID()
    for (const each of [one, two]) each.listen(topic)
    await vi.waitFor(async () => {
      await page.publish(topic, 'to both')
      expect([one.received.at(-1), two.received.at(-1)]).toEqual(['to both', 'to both'])
    }, WAITS)
  })
})
