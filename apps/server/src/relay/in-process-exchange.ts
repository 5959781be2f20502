import type { Clock } from '../clock.ts'
import {
  type Message,
  type OpenExchange,
  type PublishResult,
  queuedCost,
  WEBHOOK_LIFETIME_MS,
  WEBHOOKS_PER_TOPIC,
} from './exchange.ts'
import type { RelayLimits } from './limits.ts'
import type { CountDrops } from './metrics.ts'

interface Queue {
  readonly messages: Message[]
  length: number
}

interface TopicWebhooks {
  readonly urls: Set<string>
  readonly network: string
  expiresAt: number
}

const MAX_WEBHOOK_TOPICS = 10_000

/** An exchange within one process. Queued messages are lost when it stops. */
export function inProcessExchange(deps: {
  readonly clock: Clock
  readonly limits: RelayLimits
  readonly countDrops: CountDrops
}): OpenExchange {
  const { clock, limits, countDrops } = deps
  const queues = new Map<string, Queue>()
  const webhooks = new Map<string, TopicWebhooks>()
  /** Topics with webhooks, oldest first, by the network that registered the first webhook. */
  const webhookTopics = new Map<string, Set<string>>()
  /** The memory of all queued messages in bytes. */
  let queuedBytes = 0
  let published = 0

  function dropExpired(topic: string, queue: Queue): void {
    const now = clock()
    while (queue.messages[0] !== undefined && queue.messages[0].expiresAt <= now) {
      shift(queue)
      countDrops('expired')
    }
    if (queue.messages.length === 0) queues.delete(topic)
  }

  /** Removes and returns the oldest message. */
  function shift(queue: Queue): Message | undefined {
    const message = queue.messages.shift()
    if (message === undefined) return undefined
    queue.length -= message.text.length
    queuedBytes -= queuedCost(message.text)
    return message
  }

  /** Takes a topic's oldest message out of its queue. */
  function take(topic: string): Message | undefined {
    const queue = queues.get(topic)
    const message = queue && shift(queue)
    if (queue?.messages.length === 0) queues.delete(topic)
    return message
  }

  /** Adds a message at its position. */
  function insert(topic: string, message: Message): void {
    const queue = queues.get(topic) ?? { messages: [], length: 0 }
    const index = queue.messages.findLastIndex(({ at }) => at < message.at) + 1
    queue.messages.splice(index, 0, message)
    queue.length += message.text.length
    queuedBytes += queuedCost(message.text)
    queues.set(topic, queue)
  }

  function enqueue(topic: string, message: Message): Pick<PublishResult, 'outcome' | 'cost'> {
    const { text } = message
    const known = queues.get(topic)
    if (known !== undefined) dropExpired(topic, known)
    const queue = queues.get(topic)
    if (
      (queue?.messages.length ?? 0) >= limits.queuedMessagesPerTopic ||
      (queue?.length ?? 0) + text.length > limits.queuedBytesPerTopic
    ) {
      return { outcome: 'queue-full', cost: 0 }
    }
    const cost = queuedCost(text)
    if (queuedBytes + cost > limits.queuedBytesPerNode) return { outcome: 'relay-full', cost: 0 }
    insert(topic, message)
    return { outcome: 'queued', cost }
  }

  function removeWebhooks(topic: string): void {
    const network = webhooks.get(topic)?.network ?? ''
    const topics = webhookTopics.get(network)
    topics?.delete(topic)
    if (topics?.size === 0) webhookTopics.delete(network)
    webhooks.delete(topic)
  }

  /**
   * The topic to evict from a full table: the oldest of the network with the most, so that a network that fills the
   * table evicts its own topics.
   */
  function oldestOfLargest(): string {
    let largest = new Set<string>()
    for (const topics of webhookTopics.values()) if (topics.size > largest.size) largest = topics
    const [oldest = ''] = largest
    return oldest
  }

  return (deliver) => ({
    publish({ topic, text, withWebhooks }, onResult) {
      const urls = withWebhooks ? [...(webhooks.get(topic)?.urls ?? [])] : []
      published += 1
      const expiresAt = clock() + limits.queueLifetimeMs
      const message = { text, at: published, expiresAt, stored: '' }
      if (deliver(topic, message)) onResult({ outcome: 'delivered', cost: 0, webhooks: urls })
      else onResult({ ...enqueue(topic, message), webhooks: urls })
    },
    listen(topic) {
      const queue = queues.get(topic)
      if (queue === undefined) return
      dropExpired(topic, queue)
      // Taken out first, because a delivery that fails may queue older messages again.
      let message = take(topic)
      while (message !== undefined && deliver(topic, message)) message = take(topic)
      // If the reader leaves midway, the rest stays queued for the next one.
      if (message !== undefined) insert(topic, message)
    },
    leave: () => undefined,
    requeue(topic, messages, onQueued) {
      for (const message of messages) {
        if (message.expiresAt <= clock()) countDrops('expired')
        else if (!deliver(topic, message)) {
          const { outcome } = enqueue(topic, message)
          if (outcome === 'queued') onQueued(message)
          else if (outcome !== 'delivered') countDrops(outcome)
        }
      }
    },
    async addWebhook({ topic, url, network }) {
      const expiresAt = clock() + WEBHOOK_LIFETIME_MS
      const known = webhooks.get(topic)
      if (known !== undefined) {
        if (!known.urls.has(url) && known.urls.size >= WEBHOOKS_PER_TOPIC) return false
        known.urls.add(url)
        known.expiresAt = expiresAt
        return true
      }
      const own = webhookTopics.get(network) ?? new Set()
      if (own.size >= limits.webhookTopicsPerNetwork) return false
      if (webhooks.size >= MAX_WEBHOOK_TOPICS) removeWebhooks(oldestOfLargest())
      webhookTopics.set(network, own.add(topic))
      webhooks.set(topic, { urls: new Set([url]), network, expiresAt })
      return true
    },
    waiting: async () => queues.size,
    sweep() {
      for (const [topic, queue] of queues) dropExpired(topic, queue)
      const now = clock()
      for (const [topic, { expiresAt }] of webhooks) if (expiresAt <= now) removeWebhooks(topic)
    },
    ready: async () => true,
    close: async () => undefined,
  })
}
