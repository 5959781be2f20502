import type { KeyedStorage } from './keyed-storage.ts'

/** Where a page is, and what it is seen on. */
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

/** Everything outside that telemetry uses. */
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
  /** Chance as a number in [0, 1). */
  readonly chance: () => number
  readonly randomId: () => string
  readonly place: () => Place
  readonly online: () => boolean
  /** Does a piece of work while no other tab does one. */
  readonly alone: (work: () => Promise<void>) => Promise<void>
  /** Listens for the page being left, or hidden, which may be the last that is heard of it. */
  readonly onLeave: (listener: () => void) => void
  /** Listens for the page being seen again, and for the network being back. */
  readonly onReturn: (listener: () => void) => void
}
