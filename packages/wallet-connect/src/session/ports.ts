import type { PeerMeta } from '../protocol/handshake.ts'
import type { RelayPorts } from '../transport/ports.ts'

/** What is kept between reloads. It never throws: a browser that refuses storage is a browser without memory. */
export interface StoragePort {
  readonly read: (key: string) => string | undefined
  readonly write: (key: string, value: string) => void
  readonly remove: (key: string) => void
}

/** Ends what was begun. */
export type Stop = () => void

/** Everything of the outside world that a session touches; tests hand in their own. */
export interface SessionPorts {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly after: (delayMs: number, run: () => void) => Stop
  readonly every: (intervalMs: number, run: () => void) => Stop
  readonly storage: StoragePort
  /** Calls back when another tab changed storage: with the key, or with null when all of it was cleared. */
  readonly onStorageChange: (listener: (key: string | null) => void) => Stop
  /** Calls back with what the page itself posts to its window. */
  readonly onOwnMessage: (listener: (data: unknown) => void) => Stop
  /** How the page introduces itself to a wallet. */
  readonly introduction: () => PeerMeta
  /** Where the page is. */
  readonly href: () => string
  readonly isMobile: () => boolean
  /** Tells wallets that run beside the page. */
  readonly dispatch: (event: string, detail: unknown) => void
  /** Whether `window` holds an object of that name that says it is a wallet. */
  readonly hasExtension: (property: string) => boolean
  readonly openWindow: (url: string) => void
  readonly fetch: typeof fetch
  /** How the relay is reached. */
  readonly relay: RelayPorts
  /** Writes to the console, for the people who build the page. */
  readonly log: (text: string, about: unknown) => void
  /** Where defects go. */
  readonly report: (error: unknown) => void
}
