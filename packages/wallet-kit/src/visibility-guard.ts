/**
 * Clickjacking protection (§2.8): detects whether content has been in front of the user long enough to be read before a click. A page
 * can place its own window exactly over the wallet's and close it on the first press of a double click, so that the second press
 * lands on the wallet. A window counts only while it has the focus, which a covered window does not have on any window system.
 */
export interface VisibilityGuard {
  /** Settles when the content has been focused, visible and still for long enough that a click is intentional. */
  readonly settled: (signal: AbortSignal) => Promise<void>
  /** Settles when the content loses the focus, moves or is hidden, for example because the frame was minimized or the tab changed. */
  readonly disturbed: (signal: AbortSignal) => Promise<void>
}

/** Longer than a slow double click, and what browsers wait before their own permission prompts accept a click. */
const SETTLE_MS = 1000

// A smaller frame is minimized.
const READABLE_PX = 200

/** How often the position is compared: no event reports that a window has moved. */
const POSITION_INTERVAL_MS = 100

/** The guard for a browser window. */
export function visibilityGuard(window: Window): VisibilityGuard {
  const { document } = window
  const isInFront = () =>
    document.visibilityState === 'visible' &&
    document.hasFocus() &&
    window.innerWidth >= READABLE_PX &&
    window.innerHeight >= READABLE_PX

  const position = () => `${window.screenX} ${window.screenY}`

  function changed(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const listening = new AbortController()
    const before = position()
    const timer = window.setInterval(() => {
      if (position() !== before) settle()
    }, POSITION_INTERVAL_MS)
    const settle = () => {
      window.clearInterval(timer)
      listening.abort()
      resolve()
    }
    const options = { signal: listening.signal }
    for (const type of ['resize', 'blur', 'focus']) window.addEventListener(type, settle, options)
    document.addEventListener('visibilitychange', settle, options)
    signal.addEventListener('abort', settle, options)
    if (signal.aborted) settle()
    return promise
  }

  /** Settles on a press. One that comes early was meant for what was there before, and so may be the next ones. */
  function pressed(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    window.addEventListener('pointerdown', () => resolve(), { capture: true, signal })
    signal.addEventListener('abort', () => resolve(), { once: true })
    return promise
  }

  async function settled(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const waiting = new AbortController()
      const either = AbortSignal.any([signal, waiting.signal])
      const moved = Promise.race([changed(either), pressed(either)]).then(() => false)
      if (!isInFront()) {
        await moved
        waiting.abort()
        continue
      }
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const timer = window.setTimeout(() => resolve(true), SETTLE_MS)
      const still = await Promise.race([promise, moved])
      window.clearTimeout(timer)
      waiting.abort()
      if (still && isInFront()) return
    }
  }

  return {
    settled,
    async disturbed(signal) {
      if (isInFront()) await changed(signal)
    },
  }
}
