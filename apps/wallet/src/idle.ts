/** Settles when nobody has touched the window for so long, or when the signal ends the wait. */
export async function idle(window: Window, forMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const heard = new AbortController()
  let timer = window.setTimeout(resolve, forMs)
  const begin = () => {
    window.clearTimeout(timer)
    timer = window.setTimeout(resolve, forMs)
  }
  for (const sign of ['pointerdown', 'pointermove', 'keydown']) {
    window.addEventListener(sign, begin, { signal: heard.signal, passive: true })
  }
  signal.addEventListener('abort', () => resolve(), { signal: heard.signal })
  await promise
  window.clearTimeout(timer)
  heard.abort()
}
