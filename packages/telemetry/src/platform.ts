import { http } from '@portico/client/http'
import type { TelemetryContext } from '@portico/contracts/telemetry-wire'
import type { KeyedStorage } from './telemetry-storage.ts'

/** Telemetry settings from the page data. */
export interface TelemetrySettings {
  readonly context: TelemetryContext
  readonly appVersion: string
  /** The page's organization code. */
  readonly organization: string
}

/** An event on a page, before masking. */
export interface PageEvent {
  readonly event: string
  readonly eventType: string
  readonly pagePath: string
  readonly search: string
  readonly eventProperties?: Readonly<Record<string, string | number | boolean>>
  readonly dontDedupe?: boolean
  readonly dedupeProperty?: string
}

/** The page's URL and screen. */
export interface Place {
  readonly origin: string
  readonly hostname: string
  readonly search: string
  readonly referrer: string
  readonly screenWidth: number
  readonly screenHeight: number
  readonly windowWidth: number
  readonly windowHeight: number
}

/** The browser APIs that telemetry uses. */
export interface Platform {
  /**
   * Posts to our own server; the request outlives the page.
   *
   * @throws ApiError
   */
  readonly post: (
    path: string,
    body: object,
    options: {
      readonly headers?: Readonly<Record<string, string>>
      readonly expect: 'json' | 'nothing'
    },
  ) => Promise<unknown>
  readonly storage: KeyedStorage
  readonly clock: () => number
  readonly wait: (milliseconds: number) => Promise<void>
  /** A random number in [0, 1). */
  readonly random: () => number
  readonly randomId: () => string
  readonly place: () => Place
  readonly online: () => boolean
  /** Runs work while holding a lock shared by all tabs. */
  readonly exclusively: (work: () => Promise<void>) => Promise<void>
  /** Called when the page unloads or is hidden, which may be the last event before it closes. */
  readonly onLeave: (listener: () => void) => void
  /** Called when the page is visible again or back online. */
  readonly onReturn: (listener: () => void) => void
}

/** Events are sent one at a time, so a slow response delays the next one. */
const TIMEOUT_MS = 10_000
const LOCK = 'portico-telemetry'

/** Telemetry never sends or removes the stored token, so its requests do not identify the user or end a session. */
const NO_TOKEN = {
  read: () => undefined,
  write: () => undefined,
  remove: () => undefined,
  watch: () => () => undefined,
}

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
    random: () => Math.random(),
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
    async exclusively(work) {
      let acquired = false
      try {
        await navigator.locks.request(LOCK, () => {
          acquired = true
          return work()
        })
      } catch (error) {
        if (acquired) throw error
        // Web Locks require a secure context and fail if storage is blocked. Without them, two tabs may send the same event,
        // which the server deduplicates.
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
