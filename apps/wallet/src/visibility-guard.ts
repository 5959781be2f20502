/** When something that is to be clicked can have been read, and when it may no longer have been (§2.8). */
export interface VisibilityGuard {
  /** Settles when what is shown has stood still and in sight long enough; the way a click could have been meant for it. */
  readonly settled: (signal: AbortSignal) => Promise<void>
  /** Settles when it moves or goes out of sight: the frame was minimized, the tab was changed. */
  readonly disturbed: (signal: AbortSignal) => Promise<void>
}

/** A click that was begun before the approval appeared must not approve it. */
const SETTLE_MS = 500

// Smaller than this is the minimized frame.
const READABLE_PX = 200

/** The sight of a browser's window. */
export function visibilityGuard(window: Window): VisibilityGuard {
  const inSight = () =>
    window.document.visibilityState === 'visible' &&
    window.innerWidth >= READABLE_PX &&
    window.innerHeight >= READABLE_PX

  function disturbed(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const heard = new AbortController()
    const once = () => {
      heard.abort()
      resolve()
    }
    window.addEventListener('resize', once, { signal: heard.signal })
    window.document.addEventListener('visibilitychange', once, { signal: heard.signal })
    signal.addEventListener('abort', once, { signal: heard.signal })
    return promise
  }

  async function settled(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const waiting = new AbortController()
      const moved = disturbed(AbortSignal.any([signal, waiting.signal])).then(() => false)
      if (!inSight()) {
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
