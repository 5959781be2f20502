/**
 * The calls with which a mobile wallet subscribes to notifications of requests that arrive while it is closed (protocol 3.6,
 * Web Push).
 */
import * as z from 'zod/mini'
import { call } from './call.ts'

const PUSH = '/service-wallet/api/v1/push'

/** A subscription lives this long unless the wallet renews it, which it does whenever it is opened. */
export const PUSH_LIFETIME_MS = 60 * 24 * 60 * 60 * 1000

/** The maximum number of connections that one wallet is notified of. */
export const MAX_PUSH_TOPICS = 50

/** The maximum number of notified wallets per network. */
export const PUSH_SUBSCRIPTIONS_PER_NETWORK = 200

const base64Url = (bytes: number) =>
  z.string().check(z.regex(new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3)}}=*$`)))

const Endpoint = z.string().check(z.maxLength(1024), z.regex(/^https?:\/\//))

/** A browser's push subscription (RFC 8030, 8291). Its address is a secret: knowing it is enough to change it. */
export const PushSubscription = z.object({
  endpoint: Endpoint,
  keys: z.object({
    /** The browser's public key, an uncompressed point. */
    p256dh: base64Url(65),
    auth: base64Url(16),
  }),
})

export type PushSubscription = z.output<typeof PushSubscription>

export const readPushKey = call({
  name: 'readPushKey',
  summary: 'Read the public key that browsers need to subscribe to notifications (VAPID).',
  method: 'GET',
  path: `${PUSH}/key`,
  auth: 'none',
  answer: z.object({ publicKey: z.string() }),
})

export const subscribePush = call({
  name: 'subscribePush',
  summary:
    'Notify a mobile wallet of messages on exactly these topics while nothing reads them; replaces its earlier topics.',
  method: 'POST',
  path: `${PUSH}/subscribe`,
  auth: 'none',
  body: z.strictObject({
    subscription: PushSubscription,
    topics: z
      .array(z.string().check(z.minLength(1), z.maxLength(128)))
      .check(z.minLength(1), z.maxLength(MAX_PUSH_TOPICS)),
  }),
})

export const unsubscribePush = call({
  name: 'unsubscribePush',
  summary: 'End the notifications of a mobile wallet.',
  method: 'POST',
  path: `${PUSH}/unsubscribe`,
  auth: 'none',
  body: z.strictObject({ endpoint: Endpoint }),
})

export const PUSH_CALLS = [readPushKey, subscribePush, unsubscribePush] as const
