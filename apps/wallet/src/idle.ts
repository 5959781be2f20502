/** Settles after this time without user input, or when the signal aborts. */
export async function idle(window: Window, timeoutMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const listening = new AbortController()
  let timer = window.setTimeout(resolve, timeoutMs)
  const restart = () => {
    window.clearTimeout(timer)
    timer = window.setTimeout(resolve, timeoutMs)
  }
  for (const inputEvent of ['pointerdown', 'pointermove', 'keydown']) {
    window.addEventListener(inputEvent, restart, { signal: listening.signal, passive: true })
  }
  signal.addEventListener('abort', () => resolve(), { signal: listening.signal })
  await promise
  window.clearTimeout(timer)
  listening.abort()
}
