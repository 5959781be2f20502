import type { PeerMeta } from '../protocol/handshake.ts'
import type { RelayPorts } from '../transport/ports.ts'

/** Storage that survives reloads and never throws. */
export interface StoragePort {
  readonly read: (key: string) => string | undefined
  readonly write: (key: string, text: string) => void
  readonly remove: (key: string) => void
}

/** Stops a timer, listener or subscription. */
export type Stop = () => void

/** All external dependencies of a session; tests pass their own. */
export interface SessionPorts {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly after: (delayMs: number, run: () => void) => Stop
  readonly every: (intervalMs: number, run: () => void) => Stop
  readonly storage: StoragePort
  /** Calls back when another tab changed storage, with the key, or null if all of it was cleared. */
  readonly onStorageChange: (listener: (key: string | null) => void) => Stop
  /** Calls back with messages that the page posts to its own window. */
  readonly onOwnMessage: (listener: (data: unknown) => void) => Stop
  /** The page's metadata for the wallet. */
  readonly pageMetadata: () => PeerMeta
  /** The page's URL. */
  readonly href: () => string
  readonly isMobile: () => boolean
  /** Where the wallet takes the user back to; undefined if the page is not on a phone, because the wallet is then elsewhere. */
  readonly returnHref: () => string | undefined
  /** Sends an event to wallets that run next to the page. */
  readonly dispatch: (event: string, detail: unknown) => void
  /** Whether `window` has a property of that name that identifies a wallet. */
  readonly hasExtension: (property: string) => boolean
  readonly openWindow: (url: string) => void
  readonly fetch: typeof fetch
  /** Ports of the relay connection. */
  readonly relay: RelayPorts
  /** Logs to the console, for the page's developers. */
  readonly log: (text: string, about: unknown) => void
  /** Reports unexpected errors. */
  readonly report: (error: unknown) => void
}
