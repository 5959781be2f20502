/**
 * Serves the mobile wallet from this device, so that it opens without a network and as one consistent version: each version
 * is stored as a whole, and only replaces the running one when the user agrees or every window was closed.
 */
import type { MobileWalletVersion } from '@portico/contracts/mobile-wallet'

/** The parts of a service worker's global scope used here; the types of pages do not include them. */
interface Scope {
  /** Set by the server in front of this script. */
  readonly VERSION: MobileWalletVersion
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: {
      type: 'window'
      includeUncontrolled: boolean
    }): Promise<readonly WindowClient[]>
    openWindow(url: string): Promise<unknown>
  }
  readonly registration: ServiceWorkerRegistration
  skipWaiting(): Promise<void>
  addEventListener<Name extends keyof Events>(
    name: Name,
    listener: (event: Events[Name]) => void,
  ): void
}

interface WindowClient {
  readonly url: string
  focus(): Promise<unknown>
}

interface ExtendableEvent extends Event {
  waitUntil(promise: Promise<unknown>): void
}

interface Events {
  install: ExtendableEvent
  activate: ExtendableEvent
  fetch: Event & { readonly request: Request; respondWith(response: Promise<Response>): void }
  message: ExtendableEvent & { readonly data: unknown }
  push: ExtendableEvent & { readonly data: { text(): string } | null }
  notificationclick: ExtendableEvent & { readonly notification: Notification }
}

const scope = globalThis as unknown as Scope // The compiler only offers a window's scope.
const { VERSION } = scope

const CACHE_PREFIX = 'mobile-wallet '
const CACHE = `${CACHE_PREFIX}${VERSION.id}`
const PAGE_PATH = new URL(VERSION.page, location.origin).pathname
const STATIC_PATH = `${PAGE_PATH}/static/`
const ICON = VERSION.page.replace(PAGE_PATH, `${PAGE_PATH}/icon-192.png`)
/** `MOBILE_WALLET_VERSION_HEADER`, repeated so that this file has no imports. */
const VERSION_HEADER = 'x-mobile-wallet-version'

scope.addEventListener('install', (event) => event.waitUntil(store()))

/** Stores the page and its files. All fail together, and the browser tries again later. */
async function store(): Promise<void> {
  const page = await fetch(VERSION.page, { cache: 'no-store' })
  // While servers are replaced, one may already have this script and another still the old page.
  if (!page.ok || page.headers.get(VERSION_HEADER) !== VERSION.id) {
    throw new Error('The page is of another version')
  }
  const cache = await caches.open(CACHE)
  await cache.addAll([...VERSION.files])
  await cache.put(VERSION.page, page)
}

scope.addEventListener('activate', (event) => event.waitUntil(activate()))

async function activate(): Promise<void> {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith(CACHE_PREFIX) && name !== CACHE)
  await Promise.all(old.map((name) => caches.delete(name)))
  await scope.clients.claim()
}

scope.addEventListener('message', (event) => {
  if (event.data === 'update') event.waitUntil(scope.skipWaiting())
})

scope.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request
  const { origin, pathname } = new URL(url)
  if (method !== 'GET' || origin !== location.origin) return
  // The stored page has no query, so a connection code in it does not reach the server.
  if (mode === 'navigate' && pathname === PAGE_PATH)
    event.respondWith(stored(VERSION.page, event.request))
  else if (pathname.startsWith(STATIC_PATH) || VERSION.files.includes(pathname)) {
    event.respondWith(stored(url, event.request))
  }
})

async function stored(url: string, request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  const found = await cache.match(url)
  if (found !== undefined) return found
  const response = await fetch(request)
  // Parts that are only loaded when needed, such as the larger decoder.
  if (response.ok && new URL(url, location.origin).pathname.startsWith(STATIC_PATH)) {
    // On a full device it is fetched again the next time.
    await cache.put(url, response.clone()).catch(() => undefined)
  }
  return response
}

scope.addEventListener('push', (event) =>
  event.waitUntil(
    // Browsers require a notification for every message. A newer one replaces it.
    scope.registration.showNotification(event.data?.text() ?? 'A page is waiting for you', {
      body: 'Open your wallet to see the request.',
      tag: 'request',
      icon: new URL(ICON, location.origin).href,
    }),
  ),
)

scope.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openWallet())
})

/** Shows the open wallet, or opens it. */
async function openWallet(): Promise<void> {
  const windows = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = windows.find(({ url }) => new URL(url).pathname === PAGE_PATH)
  await (open?.focus() ?? scope.clients.openWindow(VERSION.page))
}
