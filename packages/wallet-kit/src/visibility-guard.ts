/** Clickjacking protection (§2.8): detects whether content has been visible and still long enough to be read before a click. */
export interface VisibilityGuard {
  /** Settles when the content has been visible and still for long enough that a click is intentional. */
  readonly settled: (signal: AbortSignal) => Promise<void>
  /** Settles when the content moves or is hidden, for example because the frame was minimized or the tab changed. */
  readonly disturbed: (signal: AbortSignal) => Promise<void>
}

/** A click that started before the approval appeared must not approve it. */
const SETTLE_MS = 500

// A smaller frame is minimized.
const READABLE_PX = 200

/** The guard for a browser window. */
export function visibilityGuard(window: Window): VisibilityGuard {
  const isVisible = () =>
    window.document.visibilityState === 'visible' &&
    window.innerWidth >= READABLE_PX &&
    window.innerHeight >= READABLE_PX

  function disturbed(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const listening = new AbortController()
    const settle = () => {
      listening.abort()
      resolve()
    }
    window.addEventListener('resize', settle, { signal: listening.signal })
    window.document.addEventListener('visibilitychange', settle, { signal: listening.signal })
    signal.addEventListener('abort', settle, { signal: listening.signal })
    return promise
  }

  async function settled(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const waiting = new AbortController()
      const moved = disturbed(AbortSignal.any([signal, waiting.signal])).then(() => false)
      if (!isVisible()) {
        await moved
        continue
      }
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const timer = window.setTimeout(() => resolve(true), SETTLE_MS)
      const still = await Promise.race([promise, moved])
      window.clearTimeout(timer)
      waiting.abort()
      if (still) return
    }
  }

  return { settled, disturbed }
}
