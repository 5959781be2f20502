/** The part of a browser's WebSocket that a relay connection uses. */
export interface RelayWebSocket {
  addEventListener(
    type: 'open' | 'message' | 'close',
    listener: (event: Event & { readonly data?: unknown }) => void,
  ): void
  send(text: string): void
  close(): void
}

/** External dependencies of a relay connection. All have defaults; tests pass their own. */
export interface RelayPorts {
  readonly WebSocket?: (new (url: string) => RelayWebSocket) | undefined
  /** Starts a timer; returns a function that cancels it. */
  readonly after?: After | undefined
  /** A random number in [0, 1), for the jitter. */
  readonly random?: (() => number) | undefined
  /** Calls back when the network is available again; returns a function that removes the listener. */
  readonly online?: ((listener: () => void) => () => void) | undefined
}

/** Starts a timer; returns a function that cancels it. */
export type After = (milliseconds: number, callback: () => void) => () => void

export const afterTimeout: After = (milliseconds, callback) => {
  const timer = setTimeout(callback, milliseconds)
  return () => clearTimeout(timer)
}

/** Listens for the browser's `online` event; does nothing outside browsers. */
export function onlineEvent(listener: () => void): () => void {
  if (typeof globalThis.addEventListener !== 'function') return () => undefined
  globalThis.addEventListener('online', listener)
  return () => globalThis.removeEventListener('online', listener)
}
