/**
 * Notifies mobile wallets of requests that arrive while they are closed (protocol 3.6). The relay reports messages that were
 * queued because no client reads their topic. The notification says only that a page is waiting. Notifications are not
 * retried, because a wallet finds the request in the relay's queue when it is opened.
 */

import { Refusal } from '@portico/contracts/errors'
import {
  PUSH_LIFETIME_MS,
  PUSH_SUBSCRIPTIONS_PER_NETWORK,
  PushSubscription,
} from '@portico/contracts/push'
import pLimit from 'p-limit'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import {
  type OutboundHosts,
  type OutboundResponse,
  outboundUrl,
  postOutbound,
} from '../http/outbound-post.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import { sha256 } from '../secrets/hashes.ts'
import type { Vault } from '../secrets/vault.ts'
import type { TransactionalStores } from '../stores.ts'
import { encryptMessage } from './message-encryption.ts'
import type { Vapid } from './vapid.ts'

const PURPOSE = 'push subscription'

/** A notification's entire content. */
const MESSAGE = 'A page is waiting for you'
/** How long the push service keeps a notification. Older requests are found when the wallet is opened. */
const TIME_TO_LIVE_S = 60 * 60
/** Limits notifications per wallet, so that a page with many requests does not flood the phone. */
const PER_WALLET = [
  { allowed: 6, windowMs: 60_000 },
  { allowed: 60, windowMs: 60 * 60_000 },
] as const

const MAX_CONCURRENT = 16
const MAX_WAITING = 1000

/** Statuses of a subscription that no longer exists. */
const GONE = [404, 410]

/** Statuses of a push service that wants fewer messages (RFC 8030, section 8.4). */
const OVERLOADED = [429, 503]
const DEFAULT_PAUSE_S = 60
const MAX_PAUSE_S = 60 * 60
/** The maximum number of paused subscriptions per node. */
const MAX_PAUSED = 10_000

export interface Push {
  /** @throws Refusal - `invalid-request`, `too-many-requests` */
  readonly subscribe: (subscribed: {
    readonly subscription: PushSubscription
    readonly topics: readonly string[]
    readonly network: string
  }) => Promise<void>
  readonly unsubscribe: (endpoint: string) => Promise<void>
  /** Notifies the wallets of a topic. */
  readonly notify: (topic: string) => void
  /** Aborts notifications in progress. */
  readonly close: () => void
}

export function openPush(deps: {
  readonly stores: TransactionalStores<'pushSubscriptions'>
  readonly vault: Vault
  readonly vapid: Vapid
  readonly clock: Clock
  readonly rateLimit: RateLimit
  readonly hosts: OutboundHosts
  readonly log: Logger
}): Push {
  const { stores, vault, vapid, clock, rateLimit, hosts, log } = deps
  const limitConcurrency = pLimit(MAX_CONCURRENT)
  const closing = new AbortController()

  /** When a subscription may be notified again, in epoch milliseconds, by its hash. */
  const paused = new Map<string, number>()

  function isPaused(idHash: string): boolean {
    const until = paused.get(idHash)
    if (until === undefined) return false
    if (until - clock() > 0 && until - clock() <= MAX_PAUSE_S * 1000) return true
    paused.delete(idHash)
    return false
  }

  function pause(idHash: string, retryAfter: string | undefined): void {
    paused.set(idHash, clock() + waitS(retryAfter, clock()) * 1000)
    const [oldest] = paused.keys()
    if (paused.size > MAX_PAUSED && oldest !== undefined) paused.delete(oldest)
  }

  async function isWithinRates(idHash: string): Promise<boolean> {
    for (const { allowed, windowMs } of PER_WALLET) {
      const key = `push ${idHash} ${windowMs}`
      if (!(await rateLimit.take(key, allowed, windowMs)).allowed) return false
    }
    return true
  }

  async function notifyAll(topic: string): Promise<void> {
    for (const { idHash, wrapped } of await stores.pushSubscriptions.listByTopic(
      sha256(topic),
      clock(),
    )) {
      if (isPaused(idHash) || !(await isWithinRates(idHash))) continue
      const response = await send(
        PushSubscription.parse(JSON.parse(vault.unwrap(PURPOSE, wrapped))),
      )
      if (response === undefined) continue
      const { status, retryAfter } = response
      if (GONE.includes(status)) await stores.pushSubscriptions.delete(idHash)
      if (OVERLOADED.includes(status)) pause(idHash, retryAfter)
    }
  }

  async function send(subscription: PushSubscription): Promise<OutboundResponse | undefined> {
    const url = outboundUrl(subscription.endpoint, hosts)
    if (url === undefined) return undefined
    return postOutbound(url, {
      hosts,
      headers: {
        authorization: vapid.authorization(url),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: `${TIME_TO_LIVE_S}`,
        urgency: 'high',
        // A newer notification replaces an undelivered one.
        topic: 'request',
      },
      body: encryptMessage(MESSAGE, subscription),
      signal: closing.signal,
    })
  }

  return {
    async subscribe({ subscription, topics, network }) {
      const { endpoint } = subscription
      if (outboundUrl(endpoint, hosts) === undefined || !canEncrypt(subscription)) {
        throw new Refusal('invalid-request', {
          errors: ['subscription: must be of a push service that this server may call'],
        })
      }
      const at = clock()
      const idHash = sha256(endpoint)
      const wrapped = vault.wrap(PURPOSE, JSON.stringify(subscription))
      await stores.atomically(async ({ pushSubscriptions }) => {
        await pushSubscriptions.lockNetwork(network, at)
        const others = await pushSubscriptions.countOthers(network, idHash, at)
        if (others >= PUSH_SUBSCRIPTIONS_PER_NETWORK) throw new Refusal('too-many-requests')
        const expiresAt = at + PUSH_LIFETIME_MS
        await pushSubscriptions.insert({ idHash, wrapped, network, expiresAt })
        await pushSubscriptions.replaceTopics(idHash, [...new Set(topics.map(sha256))])
      })
    },
    unsubscribe: (endpoint) => stores.pushSubscriptions.delete(sha256(endpoint)),
    notify(topic) {
      if (closing.signal.aborted || limitConcurrency.pendingCount >= MAX_WAITING) return
      void limitConcurrency(notifyAll, topic).catch((error: unknown) => {
        if (!closing.signal.aborted) log.error({ err: error }, 'notification failed')
      })
    },
    close() {
      limitConcurrency.clearQueue()
      closing.abort()
    },
  }
}

function canEncrypt(subscription: PushSubscription): boolean {
  try {
    encryptMessage('', subscription)
    return true
  } catch {
    // The key is not a point of the curve.
    return false
  }
}

/** The seconds in a `Retry-After` header, which is a number or a date. */
function waitS(retryAfter: string | undefined, at: number): number {
  const seconds = Number(retryAfter ?? DEFAULT_PAUSE_S)
  const date = (Date.parse(retryAfter ?? '') - at) / 1000
  const wait = [seconds, date].find((each) => !Number.isNaN(each)) ?? DEFAULT_PAUSE_S
  return Math.min(Math.max(wait, 1), MAX_PAUSE_S)
}
