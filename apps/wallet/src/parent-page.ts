/** The page that embeds the wallet in a frame, always of our own origin (protocol 13). */
export interface ParentPage {
  /** The page's origin as reported by the browser, if available. */
  readonly origin: string | undefined
  /** Removes the frame. */
  readonly close: () => void
  readonly minimize: () => void
  readonly restore: () => void
  /** Opens one of our pages in a separate window. */
  readonly open: (path: string) => void
}

/** The embedding page; undefined if the wallet is a top-level window. */
export function parentPage(window: Window): ParentPage | undefined {
  const { parent, location } = window
  if (parent === window) return undefined
  // Only to our own origin, so that a foreign page that managed to frame the wallet receives nothing.
  const post = (message: unknown) => parent.postMessage(message, location.origin)
  return {
    origin: originOf(window),
    close: () => post('window_close'),
    minimize: () => post('window_minimize'),
    restore: () => post('window_restore'),
    open: (path) => post({ type: 'authUrlReceived', url: new URL(path, location.origin).href }),
  }
}

/** Only same-origin pages are accessible; for others some browsers provide the origin. */
function originOf({ parent, location }: Window): string | undefined {
  try {
    return parent.location.origin
  } catch {
    const [origin] = location.ancestorOrigins ?? []
    return origin === 'null' ? undefined : origin
  }
}

/** Yields once when another tab opens a wallet: two wallets would respond for one account, so the older one closes. */
export async function* newerFrames(signal: AbortSignal): AsyncGenerator<{ type: 'replaced' }> {
  const channel = new BroadcastChannel('figure-hosted-wallet')
  const { promise, resolve } = Promise.withResolvers<boolean>()
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if ((data as { type?: unknown } | null)?.type === 'create_iframe') resolve(true)
  })
  signal.addEventListener('abort', () => resolve(false))
  const replaced = await promise
  channel.close()
  if (replaced) yield { type: 'replaced' }
}
