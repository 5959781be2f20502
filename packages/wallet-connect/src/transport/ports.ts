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
  /** Calls back when a connection that failed may succeed; returns a function that removes the listener. */
  readonly onReturn?: ((listener: () => void) => () => void) | undefined
}

/** Starts a timer; returns a function that cancels it. */
export type After = (milliseconds: number, callback: () => void) => () => void

export const afterTimeout: After = (milliseconds, callback) => {
  const timer = setTimeout(callback, milliseconds)
  return () => clearTimeout(timer)
}

// The user returns from another window, another tab or an embedded wallet, where they may have seen that the server is back.
const RETURN_EVENTS = ['online', 'focus', 'visibilitychange']

/** Calls back when the network is back or the user returns to the page; does nothing outside browsers. */
export function returnEvents(listener: () => void): () => void {
  if (typeof globalThis.addEventListener !== 'function') return () => undefined
  for (const event of RETURN_EVENTS) globalThis.addEventListener(event, listener)
  return () => {
    for (const event of RETURN_EVENTS) globalThis.removeEventListener(event, listener)
  }
}
