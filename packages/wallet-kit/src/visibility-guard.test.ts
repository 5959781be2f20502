import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { visibilityGuard } from './visibility-guard.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A window with what the guard reads. */
function aWindow() {
  let hasFocus = true
  const target = new EventTarget()
  const document = Object.assign(new EventTarget(), {
    visibilityState: 'visible',
    hasFocus: () => hasFocus,
  })
  const window = Object.assign(target, {
    document,
    innerWidth: 360,
    innerHeight: 600,
    screenX: 10,
    screenY: 10,
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    setInterval: globalThis.setInterval,
    clearInterval: globalThis.clearInterval,
  })
  const guard = visibilityGuard(window as unknown as Window) // Only these parts are used.
  return {
    window,
    guard,
    focus(isFocused: boolean) {
      hasFocus = isFocused
      target.dispatchEvent(new Event(isFocused ? 'focus' : 'blur'))
    },
    press: () => target.dispatchEvent(new Event('pointerdown')),
    /** Whether the content has settled after this time. */
    async isSettledAfter(milliseconds: number): Promise<boolean> {
      let isSettled = false
      const ended = new AbortController()
      void guard.settled(ended.signal).then(() => {
        isSettled = !ended.signal.aborted
      })
      await vi.advanceTimersByTimeAsync(milliseconds)
      ended.abort()
      return isSettled
    },
  }
}

test('2.8 a window that is focused, visible and still settles after a second', async () => {
  const { isSettledAfter } = aWindow()
  expect(await isSettledAfter(900)).toBe(false)
  expect(await isSettledAfter(1100)).toBe(true)
})

test('2.8 a window under another one never settles, although it is visible and still', async () => {
  const { isSettledAfter, focus } = aWindow()
  focus(false)
  expect(await isSettledAfter(60_000)).toBe(false)
  const settled = isSettledAfter(60_000 + 500)
  await vi.advanceTimersByTimeAsync(60_000)
  // The window above it closes on the first press of a double click.
  focus(true)
  expect(await settled).toBe(false)
})

test.each([
  ['loses the focus', ({ focus }: ReturnType<typeof aWindow>) => focus(false)],
  ['moves', ({ window }: ReturnType<typeof aWindow>) => void (window.screenX = 40)],
])('2.8 a settled window that %s has to settle again', async (_, change) => {
  const opened = aWindow()
  const onDisturbed = vi.fn<() => void>()
  void opened.guard.disturbed(new AbortController().signal).then(onDisturbed)
  await vi.advanceTimersByTimeAsync(5000)
  expect(onDisturbed).not.toHaveBeenCalled()
  change(opened)
  await vi.advanceTimersByTimeAsync(200)
  expect(onDisturbed).toHaveBeenCalledOnce()
})

test('2.8 presses before the window has settled delay it, so quick clicks never reach it', async () => {
  const { isSettledAfter, press } = aWindow()
  const presses = setInterval(press, 300)
  expect(await isSettledAfter(10_000)).toBe(false)
  clearInterval(presses)
  expect(await isSettledAfter(1100)).toBe(true)
})
