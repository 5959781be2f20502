import { http } from '@portico/client/http'
import type { KeyedStorage } from './keyed-storage.ts'
import type { Platform } from './platform.ts'
import type { TelemetrySettings } from './settings.ts'

/** Nobody waits for an answer, but the next event does. */
const TIMEOUT_MS = 10_000
const LOCK = 'portico-telemetry'

/** Telemetry neither says who is signed in nor signs anybody out: the stored token is out of its reach. */
const NO_TOKEN = {
  read: () => undefined,
  keep: () => undefined,
  remove: () => undefined,
  watch: () => () => undefined,
}

/** What telemetry uses of a browser's window. */
export function browserPlatform(
  window: Window,
  storage: KeyedStorage,
  { organization }: Pick<TelemetrySettings, 'organization'>,
): Platform {
  const { document, navigator, location, screen } = window
  const send = http({ jwt: NO_TOKEN, organization, timeoutMs: TIMEOUT_MS })
  return {
    post: (path, body, options) =>
      send(path, { method: 'POST', body, keepalive: true, ...options }),
    storage,
    clock: () => Date.now(),
    wait: (milliseconds) => new Promise((resolve) => window.setTimeout(resolve, milliseconds)),
    chance: () => Math.random(),
    randomId: () => crypto.randomUUID(),
    place: () => ({
      origin: location.origin,
      hostname: location.hostname,
      search: location.search,
      referrer: document.referrer,
      screenWidth: Math.round(screen.width),
      screenHeight: Math.round(screen.height),
      windowWidth: Math.round(window.innerWidth),
      windowHeight: Math.round(window.innerHeight),
    }),
    online: () => navigator.onLine,
    async alone(work) {
      let begun = false
      try {
        await navigator.locks.request(LOCK, () => {
          begun = true
          return work()
        })
      } catch (error) {
        if (begun) throw error
        // Locks are there on secure pages only, and refused where storage is blocked. Without them two tabs may send the
        // same, which the server stores once.
        await work()
      }
    },
    onLeave(listener) {
      window.addEventListener('pagehide', listener)
      document.addEventListener('visibilitychange', () => {
        if (document.visibilityState === 'hidden') listener()
      })
    },
    onReturn(listener) {
      window.addEventListener('online', listener)
      document.addEventListener('visibilitychange', () => {
        if (document.visibilityState === 'visible') listener()
      })
    },
  }
}
