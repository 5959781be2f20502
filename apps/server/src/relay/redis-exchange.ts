/**
 * An exchange for several nodes, through Redis. A node subscribes to a channel for each topic with readers. Publishing
 * is one atomic step that sends the message if any node is subscribed and queues it otherwise. Queued messages are
 * delivered by one node at a time and deleted only afterwards, so that a crash of a node or Redis loses nothing;
 * duplicates are recognized by id.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { type RedisConnections, resultWithin } from '../redis/redis.ts'
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
import { ADD_WEBHOOK, CLAIM, COUNT_WEBHOOK, PUBLISH, REQUEUE, SETTLE } from './redis-scripts.ts'

/** The subscription of a topic. Until queued messages have been delivered, new ones are held back. */
interface Subscription {
  held: string[] | undefined
  /** How often catching up has started; only the latest attempt continues. */
  attempts: number
}

/** How long a node may take to deliver queued messages before another may claim them. */
const CLAIM_MS = 10_000
/** How long a node waits before it tries again to claim a queue. */
const CLAIM_RETRY_MS = 100
/** How long it waits after Redis refused, for instance because its memory is full. */
const REFUSAL_RETRY_MS = 1000
/** How much longer Redis remembers which nodes have a message than they may requeue it. */
const REQUEUE_MARGIN_MS = 10_000
/** The timeout of operations other than messages. */
const TIMEOUT_MS = 1000
/** The minimum number of message ids remembered. Duplicates only arrive shortly after a lost connection. */
const REMEMBERED_IDS = 10_000
/** Topics with queued messages and their expiry, used only for the metric. */
const WAITING = 'relay:waiting'

const keyOf = (topic: string, part: string) => `relay:{${topic}}:${part}`
const channelOf = (topic: string) => keyOf(topic, 'live')

export function redisExchange(deps: {
  readonly redis: RedisConnections
  readonly clock: Clock
  readonly limits: RelayLimits
  readonly countDrops: CountDrops
  readonly log: Logger
}): OpenExchange {
  const { clock, limits, countDrops, log } = deps
  const { commands, subscriber, ready } = deps.redis
  const node = randomUUID()
  const listening = new Map<string, Subscription>()
  const seen = recentIds()
  /** The memory of messages that Redis has not acknowledged; it grows while Redis is unreachable. */
  let unacknowledgedBytes = 0
  let published = 0
  /** Lost messages on their way to Redis, by topic. */
  const requeues = new Map<string, Promise<unknown>>()

  const dispatchKeys = (topic: string) =>
    [keyOf(topic, 'queue'), keyOf(topic, 'size'), keyOf(topic, 'nodes:')] as const
  const dispatchArguments = (topic: string) =>
    [
      channelOf(topic),
      limits.queuedMessagesPerTopic,
      limits.queuedBytesPerTopic,
      limits.queueLifetimeMs,
      limits.unacknowledgedMs + REQUEUE_MARGIN_MS,
    ] as const

  /** Starts work that is not awaited, because the next subscription or message repeats it. */
  function fireAndForget(work: Promise<unknown>): void {
    work.catch((error: unknown) => log.debug({ err: error }, 'redis did not respond'))
  }

  /** Logs why Redis refused a command that is sent again later. @throws that reason once the connection is closed */
  function retryLater(error: unknown): undefined {
    if (commands.status === 'end') throw error
    log.warn({ err: error }, 'redis refused to deliver queued messages')
  }

  function countWaiting(topic: string): void {
    fireAndForget(commands.zadd(WAITING, clock() + limits.queueLifetimeMs, topic))
  }

  return (deliver) => {
    function send(topic: string, message: string, at: string, withWebhooks: boolean) {
      unacknowledgedBytes += queuedCost(message)
      return commands
        .eval(
          PUBLISH,
          4,
          ...dispatchKeys(topic),
          keyOf(topic, 'webhooks'),
          ...dispatchArguments(topic),
          message,
          at,
          withWebhooks ? 'yes' : '',
        )
        .then((answer) => {
          const [outcome, ...webhooks] = answer as [PublishResult['outcome'], ...string[]] // The result of the script.
          if (outcome === 'queued') countWaiting(topic)
          return { outcome, webhooks, cost: outcome === 'queued' ? queuedCost(message) : 0 }
        })
        .finally(() => {
          unacknowledgedBytes -= queuedCost(message)
        })
    }

    /** Delivers a message unless it is a duplicate or expired; returns false if there is no reader. */
    function deliverOnce(topic: string, { at, message }: Timed): boolean {
      const { id, expiresAt, text } = readMessage(message)
      if (seen.has(id)) return true
      if (expiresAt <= clock()) {
        countDrops('expired')
        return true
      }
      if (!deliver(topic, { text, at: Number(at), expiresAt, stored: message })) return false
      seen.add(id)
      return true
    }

    /**
     * Publishes a message again that arrived here but has no reader anymore: another node delivers it, or it is queued
     * at its original position.
     */
    async function republish(topic: string, timed: string): Promise<void> {
      const { at, message } = readTimed(timed)
      // While subscribed, this node would only receive its own message again.
      if (!listening.has(topic)) await subscriber.sunsubscribe(channelOf(topic))
      await send(topic, message, at, false)
      const state = listening.get(topic)
      if (state !== undefined) startCatchUp(topic, state)
    }

    /** Returns lost messages to the readers of any node, or to the queue. */
    async function requeue(
      topic: string,
      messages: readonly Message[],
      onQueued: (message: Message) => void,
    ): Promise<void> {
      const bytes = messages.reduce((sum, { stored }) => sum + queuedCost(stored), 0)
      unacknowledgedBytes += bytes
      try {
        // While subscribed without a reader, this node would only receive its own messages again.
        if (!listening.has(topic)) await subscriber.sunsubscribe(channelOf(topic))
        for (const { stored } of messages) seen.delete(readMessage(stored).id)
        const outcomes = await commands.eval(
          REQUEUE,
          3,
          ...dispatchKeys(topic),
          ...dispatchArguments(topic),
          ...messages.flatMap(({ at, stored }) => [at, stored]),
        )
        for (const [each, message] of messages.entries()) {
          const outcome = (outcomes as PublishResult['outcome'][])[each] // The result of the script.
          if (outcome === 'queue-full') countDrops(outcome)
          if (outcome !== 'queued') continue
          countWaiting(topic)
          onQueued(message)
        }
      } finally {
        unacknowledgedBytes -= bytes
      }
      const state = listening.get(topic)
      if (state !== undefined) startCatchUp(topic, state)
    }

    function receive(topic: string, timed: string): void {
      const state = listening.get(topic)
      if (state?.held !== undefined) state.held.push(timed)
      else if (state === undefined || !deliverOnce(topic, readTimed(timed))) {
        fireAndForget(republish(topic, timed))
      }
    }

    /** Subscribes, then delivers queued messages, then those that arrived in the meantime. */
    async function catchUp(topic: string, state: Subscription): Promise<void> {
      state.held ??= []
      state.attempts += 1
      const { attempts } = state
      // A new reader gets lost messages before newer ones.
      await requeues.get(topic)
      const isCurrent = () => listening.get(topic) === state && state.attempts === attempts
      await subscriber.ssubscribe(channelOf(topic))
      while (isCurrent()) {
        const claimed = await commands
          .eval(CLAIM, 2, keyOf(topic, 'queue'), keyOf(topic, 'claim'), node, CLAIM_MS)
          .catch(retryLater)
        if (Array.isArray(claimed)) {
          if (claimed.length > 0) await deliverQueued(topic, claimed as string[], isCurrent)
          break
        }
        await pause(claimed === undefined ? REFUSAL_RETRY_MS : CLAIM_RETRY_MS)
      }
      if (!isCurrent()) return
      const { held } = state
      state.held = undefined
      // A message that was published again is older than those that arrived before it.
      const inOrder = held.toSorted((one, other) => atOf(one) - atOf(other))
      for (const timed of inOrder) receive(topic, timed)
    }

    async function deliverQueued(
      topic: string,
      messagesAndTimes: readonly string[],
      isCurrent: () => boolean,
    ): Promise<void> {
      const delivered: string[] = []
      for (let each = 0; each < messagesAndTimes.length; each += 2) {
        const [message = '', at = ''] = messagesAndTimes.slice(each, each + 2)
        if (!isCurrent() || !deliverOnce(topic, { at, message })) break
        delivered.push(message)
      }
      const keys = [keyOf(topic, 'queue'), keyOf(topic, 'size'), keyOf(topic, 'claim')] as const
      // What stays in the queue is delivered again, and recognized by its id.
      const left = await commands.eval(SETTLE, 3, ...keys, node, ...delivered).catch(retryLater)
      if (left === 0) fireAndForget(commands.zrem(WAITING, topic))
    }

    function startCatchUp(topic: string, state: Subscription): void {
      // A subscription that fails because Redis is unreachable is repeated on reconnection.
      catchUp(topic, state).catch((error: unknown) =>
        log.debug({ err: error }, 'subscription failed'),
      )
    }

    subscriber.on('smessage', (channel: string, timed: string) =>
      receive(channel.slice('relay:{'.length, -'}:live'.length), timed),
    )
    // Subscriptions end with the connection, and messages published until it is restored are queued.
    subscriber.on('ready', () => {
      for (const [topic, state] of listening) startCatchUp(topic, state)
    })

    return {
      publish({ topic, text, withWebhooks }, onResult) {
        if (unacknowledgedBytes + queuedCost(text) > limits.queuedBytesPerNode) {
          return onResult({ outcome: 'relay-full', webhooks: [], cost: 0 })
        }
        published += 1
        const message = `${node}.${published} ${clock() + limits.queueLifetimeMs} ${text}`
        send(topic, message, '', withWebhooks).then(onResult, (error: unknown) => {
          log.warn({ err: error }, 'redis did not accept a message')
          onResult({ outcome: 'relay-full', webhooks: [], cost: 0 })
        })
      },
      listen(topic) {
        const state: Subscription = { held: [], attempts: 0 }
        listening.set(topic, state)
        if (subscriber.status === 'ready') startCatchUp(topic, state)
      },
      leave(topic) {
        const held = listening.get(topic)?.held ?? []
        listening.delete(topic)
        if (subscriber.status === 'ready') {
          fireAndForget(subscriber.sunsubscribe(channelOf(topic)))
        }
        for (const timed of held) fireAndForget(republish(topic, timed))
      },
      requeue(topic, messages, onQueued) {
        const work = Promise.all([requeues.get(topic), requeue(topic, messages, onQueued)])
          .catch((error: unknown) => log.warn({ err: error }, 'redis did not accept messages'))
          .finally(() => {
            if (requeues.get(topic) === work) requeues.delete(topic)
          })
        requeues.set(topic, work)
      },
      async addWebhook({ topic, url, network }) {
        const add = async () => {
          const has = await commands.exists(keyOf(topic, 'webhooks'))
          const { webhookTopicsPerNetwork } = limits
          const own = `relay:webhooks:${network}`
          const count = [own, topic, clock(), webhookTopicsPerNetwork, WEBHOOK_LIFETIME_MS] as const
          if (has === 0 && (await commands.eval(COUNT_WEBHOOK, 1, ...count)) === 0) return 0
          const key = keyOf(topic, 'webhooks')
          return commands.eval(ADD_WEBHOOK, 1, key, url, WEBHOOKS_PER_TOPIC, WEBHOOK_LIFETIME_MS)
        }
        return (await resultWithin(TIMEOUT_MS, add())) === 1
      },
      async waiting() {
        const counting = commands
          .zremrangebyscore(WAITING, '-inf', clock())
          .then(() => commands.zcard(WAITING))
        return (await resultWithin(TIMEOUT_MS, counting)) ?? Number.NaN
      },
      sweep: () => undefined,
      ready,
      close: async () => void (await resultWithin(TIMEOUT_MS, Promise.all(requeues.values()))),
    }
  }
}

interface Timed {
  readonly at: string
  readonly message: string
}

const atOf = (timed: string) => Number(readTimed(timed).at)

function readTimed(timed: string): Timed {
  const end = timed.indexOf(' ')
  return { at: timed.slice(0, end), message: timed.slice(end + 1) }
}

function readMessage(message: string) {
  const idEnd = message.indexOf(' ')
  const expiryEnd = message.indexOf(' ', idEnd + 1)
  return {
    id: message.slice(0, idEnd),
    expiresAt: Number(message.slice(idEnd + 1, expiryEnd)),
    text: message.slice(expiryEnd + 1),
  }
}

function recentIds() {
  let current = new Set<string>()
  let previous = new Set<string>()
  return {
    has: (id: string) => current.has(id) || previous.has(id),
    delete(id: string): void {
      current.delete(id)
      previous.delete(id)
    },
    add(id: string): void {
      current.add(id)
      if (current.size < REMEMBERED_IDS) return
      previous = current
      current = new Set()
    },
  }
}
