/** The part of a browser's WebSocket that a relay connection uses. */
export interface RelayWebSocket {
  addEventListener(
    type: 'open' | 'message' | 'close',
    listener: (event: Event & { readonly data?: unknown }) => void,
  ): void
  send(text: string): void
  close(): void
}

/** What a relay connection needs of the world; all of it has a default, tests hand in their own. */
export interface RelayPorts {
  readonly WebSocket?: (new (url: string) => RelayWebSocket) | undefined
  /** Calls back once after a time; gives the way to call it off. */
  readonly after?: After | undefined
  /** From 0 up to 1, for the jitter. */
  readonly random?: (() => number) | undefined
  /** Tells when the network is back; gives the way to stop listening. */
  readonly online?: ((listener: () => void) => () => void) | undefined
}

/** Calls back once after a time; gives the way to call it off. */
export type After = (milliseconds: number, callback: () => void) => () => void

/** The machine's own timer. */
export const afterTimeout: After = (milliseconds, callback) => {
  const timer = setTimeout(callback, milliseconds)
  return () => clearTimeout(timer)
}

/** The browser's own news about the network; never heard where there is no browser. */
export function onlineEvent(listener: () => void): () => void {
  if (typeof globalThis.addEventListener !== 'function') return () => undefined
  globalThis.addEventListener('online', listener)
  return () => globalThis.removeEventListener('online', listener)
}
