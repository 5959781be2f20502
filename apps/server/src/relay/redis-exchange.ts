/**
 * The exchange of several nodes, through Redis. A node listens to a channel for each topic it has readers of. Publishing
 * asks in one step whether any node listens and keeps the message where none does. What waits is handed over by one node
 * at a time and taken away only afterwards, so that a node or a Redis that dies loses nothing; what might then come twice
 * is known by its id.
 */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { inTime, type RedisConnections } from '../redis/redis.ts'
import {
  type OpenExchange,
  type Published,
  queuedCost,
  WEBHOOK_LIFETIME_MS,
  WEBHOOKS_PER_TOPIC,
} from './exchange.ts'
import type { RelayLimits } from './limits.ts'
import type { CountDrops } from './metrics.ts'
import { recentIds } from './recent-ids.ts'
import { ADD_WEBHOOK, CLAIM, COUNT_WEBHOOK, PUBLISH, SETTLE } from './redis-scripts.ts'

/** A topic this node has readers of. Until what waited has been handed over, what comes is held back behind it. */
interface Listening {
  held: string[] | undefined
  /** How often it has begun to catch up; only the last beginning counts. */
  begun: number
}

/** How long a node may take to hand over what waited before another one may. */
const CLAIM_MS = 10_000
/** How long a node waits before it asks again whether another one is done. */
const ASK_AGAIN_MS = 100
/** How long somebody waits who asked for something that is no message. */
const PATIENCE_MS = 1000
/** Topics for which something was kept, with the time until which; only the figure is made of it. */
const WAITING = 'relay:waiting'

const keyOf = (topic: string, part: string) => `relay:{${topic}}:${part}`
const channelOf = (topic: string) => keyOf(topic, 'live')

/** An exchange through Redis. */
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
  const listening = new Map<string, Listening>()
  const seen = recentIds()
  /** What was published and not answered for yet; it grows while Redis is gone. */
  let unanswered = 0
  let published = 0

  return (deliver) => {
    function send(topic: string, message: string, at: string, withWebhooks: boolean) {
      unanswered += queuedCost(message)
      return commands
        .eval(
          PUBLISH,
          3,
          keyOf(topic, 'queue'),
          keyOf(topic, 'size'),
          keyOf(topic, 'webhooks'),
          channelOf(topic),
          message,
          at,
          limits.queuedMessagesPerTopic,
          limits.queuedBytesPerTopic,
          limits.queueLifetimeMs,
          withWebhooks ? 'yes' : '',
        )
        .then((answer) => {
          const [outcome, ...webhooks] = answer as [Published['outcome'], ...string[]] // As the script says.
          if (outcome === 'queued') {
            fireAndForget(commands.zadd(WAITING, clock() + limits.queueLifetimeMs, topic))
          }
          return { outcome, webhooks, kept: outcome === 'queued' ? queuedCost(message) : 0 }
        })
        .finally(() => {
          unanswered -= queuedCost(message)
        })
    }

    /** What nobody may wait for, and what the next start or the next message makes good. */
    function fireAndForget(work: Promise<unknown>): void {
      work.catch((error: unknown) => log.debug({ err: error }, 'redis did not answer'))
    }

    /** Delivers a message once; tells whether that is done with. */
    function pass(topic: string, message: string): boolean {
      const { id, expiresAt, text } = readMessage(message)
      if (seen.has(id)) return true
      if (expiresAt <= clock()) {
        countDrops('expired')
        return true
      }
      if (!deliver(topic, text)) return false
      seen.add(id)
      return true
    }

    /** A message that was heard here and found no reader any more: others may hear it, or it waits in its old place. */
    async function giveBack(topic: string, timed: string): Promise<void> {
      const { at, message } = readTimed(timed)
      // While Redis takes this node for a listener, it would only hear its own message again.
      if (!listening.has(topic)) await subscriber.sunsubscribe(channelOf(topic))
      await send(topic, message, at, false)
      const state = listening.get(topic)
      if (state !== undefined) begin(topic, state)
    }

    function hear(topic: string, timed: string): void {
      const state = listening.get(topic)
      if (state?.held !== undefined) state.held.push(timed)
      else if (state === undefined || !pass(topic, readTimed(timed).message)) {
        fireAndForget(giveBack(topic, timed))
      }
    }

    /** Listens, hands over what waits, then what came meanwhile. */
    async function catchUp(topic: string, state: Listening): Promise<void> {
      state.held ??= []
      state.begun += 1
      const { begun } = state
      const isCurrent = () => listening.get(topic) === state && state.begun === begun
      await subscriber.ssubscribe(channelOf(topic))
      while (isCurrent()) {
        const claimed = await commands.eval(
          CLAIM,
          2,
          keyOf(topic, 'queue'),
          keyOf(topic, 'claim'),
          node,
          CLAIM_MS,
        )
        if (Array.isArray(claimed)) {
          if (claimed.length > 0) await handOver(topic, claimed as string[], isCurrent)
          break
        }
        await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
      }
      if (!isCurrent()) return
      const { held } = state
      state.held = undefined
      for (const timed of held) hear(topic, timed)
    }

    async function handOver(
      topic: string,
      messages: readonly string[],
      isCurrent: () => boolean,
    ): Promise<void> {
      const handed: string[] = []
      for (const message of messages) {
        if (!isCurrent() || !pass(topic, message)) break
        handed.push(message)
      }
      const left = await commands.eval(
        SETTLE,
        3,
        keyOf(topic, 'queue'),
        keyOf(topic, 'size'),
        keyOf(topic, 'claim'),
        node,
        ...handed,
      )
      if (left === 0) fireAndForget(commands.zrem(WAITING, topic))
    }

    function begin(topic: string, state: Listening): void {
      // A subscription that fails because Redis is gone is made when it is back.
      catchUp(topic, state).catch((error: unknown) => log.debug({ err: error }, 'not listening'))
    }

    subscriber.on('smessage', (channel: string, timed: string) =>
      hear(channel.slice('relay:{'.length, -'}:live'.length), timed),
    )
    // Redis forgets its listeners with their connection, and keeps for them what is published meanwhile.
    subscriber.on('ready', () => {
      for (const [topic, state] of listening) begin(topic, state)
    })

    return {
      publish({ topic, text, withWebhooks }, tell) {
        if (unanswered + queuedCost(text) > limits.queuedBytesPerNode) {
          return tell({ outcome: 'relay-full', webhooks: [], kept: 0 })
        }
        published += 1
        const message = `${node}.${published} ${clock() + limits.queueLifetimeMs} ${text}`
        send(topic, message, '', withWebhooks).then(tell, (error: unknown) => {
          log.warn({ err: error }, 'redis did not take a message')
          tell({ outcome: 'relay-full', webhooks: [], kept: 0 })
        })
      },
      listen(topic) {
        const state: Listening = { held: [], begun: 0 }
        listening.set(topic, state)
        if (subscriber.status === 'ready') begin(topic, state)
      },
      leave(topic) {
        const held = listening.get(topic)?.held ?? []
        listening.delete(topic)
        if (subscriber.status === 'ready') {
          fireAndForget(subscriber.sunsubscribe(channelOf(topic)))
        }
        for (const timed of held) fireAndForget(giveBack(topic, timed))
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
        return (await inTime(PATIENCE_MS, add())) === 1
      },
      async waiting() {
        const counting = commands
          .zremrangebyscore(WAITING, '-inf', clock())
          .then(() => commands.zcard(WAITING))
        return (await inTime(PATIENCE_MS, counting)) ?? Number.NaN
      },
      sweep: () => undefined,
      ready,
      close: async () => undefined,
    }
  }
}

function readTimed(timed: string): { readonly at: string; readonly message: string } {
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
