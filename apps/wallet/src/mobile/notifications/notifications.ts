/**
 * Notifications of requests that arrive while the wallet is closed (Web Push). The server receives the relay's topics of the
 * wallet's connections, and nothing about their pages; a notification says only that a page is waiting.
 */
import { client } from '@portico/client/client'
import { MOBILE_WALLET_PATH, type MobileWalletPage } from '@portico/contracts/mobile-wallet'
import {
  MAX_PUSH_TOPICS,
  readPushKey,
  PushSubscription as Subscription,
  subscribePush,
  unsubscribePush,
} from '@portico/contracts/push'

/** `denied`: the user or the system forbids them in the browser's settings. */
export type NotificationState = 'denied' | 'off' | 'on' | 'unsupported'

export interface Notifications {
  readonly state: () => Promise<NotificationState>
  /** Settles when the service worker runs, which takes a while on the first visit; before that, the state is `unsupported`. */
  readonly ready: () => Promise<unknown>
  /** Asks for the permission, so call it in a tap. */
  readonly turnOn: (topics: readonly string[]) => Promise<NotificationState>
  readonly turnOff: () => Promise<void>
  /** Sends the current connections to the server if notifications are on. */
  readonly renew: (topics: readonly string[]) => Promise<void>
  /** Shows the notification from this page, which is open but hidden. */
  readonly show: () => Promise<void>
}

/** The calls need no session, and the wallet has none. */
const NO_JWT = { read: () => undefined, write: () => {}, remove: () => {}, watch: () => () => {} }

const TEXT = 'A page is waiting for you'

export function notifications(
  { orgCode, offline }: MobileWalletPage,
  { navigator, Notification }: Window & typeof globalThis,
): Notifications {
  const call = client({ jwt: NO_JWT, organization: orgCode })

  const isSupported = offline && 'serviceWorker' in navigator && Notification !== undefined

  async function registration(): Promise<ServiceWorkerRegistration | undefined> {
    const found = isSupported
      ? await navigator.serviceWorker.getRegistration(MOBILE_WALLET_PATH)
      : undefined
    // Without a running service worker, browsers refuse to subscribe.
    return found?.active != null && 'pushManager' in found ? found : undefined
  }

  async function subscription(): Promise<PushSubscription | undefined> {
    return (await (await registration())?.pushManager.getSubscription()) ?? undefined
  }

  async function updateServer(subscribed: PushSubscription, topics: readonly string[]) {
    if (topics.length === 0) {
      return call(unsubscribePush, { body: { endpoint: subscribed.endpoint } })
    }
    const parsed = Subscription.parse(subscribed.toJSON())
    return call(subscribePush, {
      body: { subscription: parsed, topics: topics.slice(0, MAX_PUSH_TOPICS) },
    })
  }

  let renewals: Promise<unknown> = Promise.resolve()

  async function renew(topics: readonly string[]): Promise<void> {
    const subscribed = await subscription()
    if (subscribed !== undefined) await updateServer(subscribed, topics)
  }

  async function state(): Promise<NotificationState> {
    if ((await registration()) === undefined) return 'unsupported'
    if (Notification.permission === 'denied') return 'denied'
    return (await subscription()) === undefined ? 'off' : 'on'
  }

  return {
    state,
    ready: () => (isSupported ? navigator.serviceWorker.ready : new Promise(() => undefined)),
    async turnOn(topics) {
      // First of all: browsers only ask during a tap.
      const permission = await Notification.requestPermission()
      const registered = await registration()
      if (permission === 'granted' && registered !== undefined) {
        const { publicKey } = await call(readPushKey, {})
        const subscribed = await registered.pushManager.subscribe({
          userVisibleOnly: true,
          applicationServerKey: bytesOf(publicKey),
        })
        await updateServer(subscribed, topics)
      }
      return state()
    },
    async turnOff() {
      const subscribed = await subscription()
      if (subscribed === undefined) return
      await subscribed.unsubscribe()
      await call(unsubscribePush, { body: { endpoint: subscribed.endpoint } })
    },
    renew(topics) {
      // One after the other, so that the server keeps the latest.
      const renewal = renewals.then(() => renew(topics))
      renewals = renewal.catch(() => undefined)
      return renewal
    },
    async show() {
      if ((await subscription()) === undefined) return
      await (await registration())?.showNotification(TEXT, { tag: 'request' })
    },
  }
}

/** The bytes of a text in base64url. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.codePointAt(0) ?? 0)
}
