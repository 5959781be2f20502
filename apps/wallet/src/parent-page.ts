/** The page that shows the wallet in a frame, always one of our own origin: no other may (protocol 13). */
export interface ParentPage {
  /** Where the page is from, as the browser says; undefined where it does not. */
  readonly origin: string | undefined
  /** Takes the frame away. */
  readonly close: () => void
  readonly minimize: () => void
  readonly restore: () => void
  /** Opens an address of ours in a window beside the page. */
  readonly open: (path: string) => void
}

/** The page around this window; nothing where the wallet has a window of its own. */
export function parentPage(window: Window): ParentPage | undefined {
  const { parent, location } = window
  if (parent === window) return undefined
  // To our own origin only: had another page got hold of the frame after all, it would hear nothing.
  const post = (message: unknown) => parent.postMessage(message, location.origin)
  return {
    origin: originOf(window),
    close: () => post('window_close'),
    minimize: () => post('window_minimize'),
    restore: () => post('window_restore'),
    open: (path) => post({ type: 'authUrlReceived', url: new URL(path, location.origin).href }),
  }
}

/** Only a page of our own origin can be looked into; of any other the browser names the origin, or nothing. */
function originOf({ parent, location }: Window): string | undefined {
  try {
    return parent.location.origin
  } catch {
    const [origin] = location.ancestorOrigins ?? []
    return origin === 'null' ? undefined : origin
  }
}

/** Says once that another tab has opened a wallet: of two that answer for one account, the older one goes. */
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
