import type { KeyedStorage } from './keyed-storage.ts'

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
  readonly chance: () => number
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
