import type { Clock } from '../clock.ts'
import { type OpenExchange, WEBHOOK_LIFETIME_MS, WEBHOOKS_PER_TOPIC } from './exchange.ts'
import type { RelayLimits } from './limits.ts'
import type { CountDrops } from './metrics.ts'

interface Queue {
  readonly messages: { readonly text: string; readonly expiresAt: number }[]
  length: number
}

const WEBHOOK_TOPICS_MAXIMUM = 10_000

/** The exchange of one process. What waits is gone with it. */
export function inProcessExchange(needs: {
  readonly clock: Clock
  readonly limits: RelayLimits
  readonly countDrops: CountDrops
}): OpenExchange {
  const { clock, limits, countDrops } = needs
  const queues = new Map<string, Queue>()
  const webhooks = new Map<string, { readonly urls: Set<string>; expiresAt: number }>()
  let kept = 0

  function dropExpired(topic: string, queue: Queue): void {
    const now = clock()
    while (queue.messages[0] !== undefined && queue.messages[0].expiresAt <= now) {
      take(queue)
      countDrops('expired')
    }
    if (queue.messages.length === 0) queues.delete(topic)
  }

  /** Takes the oldest message out of the books. */
  function take(queue: Queue): string | undefined {
    const message = queue.messages.shift()
    queue.length -= message?.text.length ?? 0
    kept -= message?.text.length ?? 0
    return message?.text
  }

  function keep(topic: string, text: string): 'queued' | 'queue-full' | 'relay-full' {
    const known = queues.get(topic)
    if (known !== undefined) dropExpired(topic, known)
    const queue = queues.get(topic) ?? { messages: [], length: 0 }
    if (
      queue.messages.length >= limits.queuedMessagesPerTopic ||
      queue.length + text.length > limits.queuedBytesPerTopic
    ) {
      return 'queue-full'
    }
    if (kept + text.length > limits.queuedBytesPerNode) return 'relay-full'
    queue.messages.push({ text, expiresAt: clock() + limits.queueLifetimeMs })
    queue.length += text.length
    kept += text.length
    queues.set(topic, queue)
    return 'queued'
  }

  return (deliver) => ({
    publish({ topic, text, withWebhooks }, tell) {
      const outcome = deliver(topic, text) ? 'delivered' : keep(topic, text)
      tell({ outcome, webhooks: withWebhooks ? [...(webhooks.get(topic)?.urls ?? [])] : [] })
    },
    listen(topic) {
      const queue = queues.get(topic)
      if (queue === undefined) return
      dropExpired(topic, queue)
      // A reader that goes in the middle leaves the rest for the next one.
      while (queue.messages[0] !== undefined && deliver(topic, queue.messages[0].text)) take(queue)
      if (queue.messages.length === 0) queues.delete(topic)
    },
    leave: () => undefined,
    async addWebhook(topic, url) {
      const known = webhooks.get(topic)
      const urls = known?.urls ?? new Set()
      const isNew = !urls.has(url)
      if (isNew && urls.size >= WEBHOOKS_PER_TOPIC) return false
      if (known === undefined && webhooks.size >= WEBHOOK_TOPICS_MAXIMUM) return false
      webhooks.set(topic, { urls: urls.add(url), expiresAt: clock() + WEBHOOK_LIFETIME_MS })
      return true
    },
    waiting: async () => queues.size,
    sweep() {
      for (const [topic, queue] of queues) dropExpired(topic, queue)
      const now = clock()
      for (const [topic, { expiresAt }] of webhooks) if (expiresAt <= now) webhooks.delete(topic)
    },
    ready: async () => true,
    close: async () => undefined,
  })
}
