/**
 * Notifies mobile wallets of requests that arrive while they are closed (protocol 3.6). The relay reports a message that was
 * queued because nothing reads its topic; the notification says only that a page is waiting. Notifications are not retried: a
 * wallet that is opened finds the request in the relay's queue anyway.
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
import { type OutboundHosts, outboundUrl, postOutbound } from '../http/outbound-post.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import { sha256 } from '../secrets/hashes.ts'
import type { Vault } from '../secrets/vault.ts'
import type { TransactionalStores } from '../stores.ts'
import { encryptMessage } from './message-encryption.ts'
import type { Vapid } from './vapid.ts'

const PURPOSE = 'push subscription'

/** The whole content of a notification. */
const MESSAGE = 'A page is waiting for you'
/** A request that is older than this is found when the wallet is opened. */
const TIME_TO_LIVE_S = 60 * 60
/** A page with many requests must not notify the phone of each. */
const PER_WALLET = { allowed: 6, windowMs: 60_000 } as const

const CONCURRENT_MAXIMUM = 16
const WAITING_MAXIMUM = 1000

/** The push service's answers for a subscription that no longer exists. */
const GONE = [404, 410]

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
  const limitConcurrency = pLimit(CONCURRENT_MAXIMUM)
  const closing = new AbortController()

  async function notifyAll(topic: string): Promise<void> {
    for (const { idHash, wrapped } of await stores.pushSubscriptions.listByTopic(
      sha256(topic),
      clock(),
    )) {
      const { allowed, windowMs } = PER_WALLET
      if (!(await rateLimit.take(`push ${idHash}`, allowed, windowMs)).allowed) continue
      const status = await send(PushSubscription.parse(JSON.parse(vault.unwrap(PURPOSE, wrapped))))
      if (status !== undefined && GONE.includes(status))
        await stores.pushSubscriptions.delete(idHash)
    }
  }

  async function send(subscription: PushSubscription): Promise<number | undefined> {
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
        // A newer notification replaces one that was not delivered yet.
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
      const others = await stores.pushSubscriptions.countOthers(network, idHash, at)
      if (others >= PUSH_SUBSCRIPTIONS_PER_NETWORK) throw new Refusal('too-many-requests')
      const wrapped = vault.wrap(PURPOSE, JSON.stringify(subscription))
      await stores.atomically(async ({ pushSubscriptions }) => {
        const expiresAt = at + PUSH_LIFETIME_MS
        await pushSubscriptions.insert({ idHash, wrapped, network, expiresAt })
        await pushSubscriptions.replaceTopics(idHash, [...new Set(topics.map(sha256))])
      })
    },
    unsubscribe: (endpoint) => stores.pushSubscriptions.delete(sha256(endpoint)),
    notify(topic) {
      if (closing.signal.aborted || limitConcurrency.pendingCount >= WAITING_MAXIMUM) return
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
