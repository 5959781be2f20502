import {
  MOBILE_WALLET_PATH,
  MOBILE_WALLET_SERVICE_WORKER_PATH,
  type MobileWalletPage,
} from '@portico/contracts/mobile-wallet'
import { trustedScriptUrl } from '@portico/shell/trusted-script-url'

/** A newer version of this page, stored on the device. */
export interface Updates {
  readonly isReady: () => boolean
  /** Calls back on changes; returns a function that removes the listener. */
  readonly subscribe: (listener: () => void) => () => void
  /** Replaces the running version in every window of the wallet. */
  readonly install: () => void
}

/** How often an open wallet looks for a newer version. */
const CHECK_EVERY_MS = 60 * 60 * 1000

/** Registers the service worker, which makes the page work offline. */
export function serviceWorkerUpdates(
  { orgCode, offline }: MobileWalletPage,
  window: Window,
): Updates {
  const { serviceWorker } = window.navigator
  const listeners = new Set<() => void>()
  let waiting: ServiceWorker | undefined

  const found = (worker: ServiceWorker | null) => {
    // The first version has no older one to replace.
    if (worker === null || serviceWorker.controller === null) return
    waiting = worker
    for (const listener of listeners) listener()
  }

  async function register(): Promise<void> {
    const url = `${MOBILE_WALLET_SERVICE_WORKER_PATH}?orgCode=${encodeURIComponent(orgCode)}`
    const registration = await serviceWorker.register(trustedScriptUrl(url), {
      scope: MOBILE_WALLET_PATH,
      updateViaCache: 'none',
    })
    found(registration.waiting)
    registration.addEventListener('updatefound', () => {
      const { installing } = registration
      installing?.addEventListener('statechange', () => {
        if (installing.state === 'installed') found(installing)
      })
    })
    window.setInterval(() => void registration.update().catch(() => undefined), CHECK_EVERY_MS)
  }

  // Absent on pages that were not loaded over https, and blocked in some private windows: the page then needs the network.
  if (offline && serviceWorker !== undefined) {
    let isControlled = serviceWorker.controller !== null
    serviceWorker.addEventListener('controllerchange', () => {
      if (isControlled) window.location.reload()
      isControlled = true
    })
    register().catch(() => undefined)
  }

  return {
    isReady: () => waiting !== undefined,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker's `postMessage` takes no target origin.
    install: () => waiting?.postMessage('update'),
  }
}
