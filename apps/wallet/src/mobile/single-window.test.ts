import { expect, test } from 'vitest'
import { singleWindow } from './single-window.ts'

/** Locks of which the newest request has the lock, as with `steal`. */
function fakeLocks() {
  let lose: ((reason: unknown) => void) | undefined
  const request = () => {
    lose?.(new DOMException('The lock was stolen', 'AbortError'))
    const { promise, reject } = Promise.withResolvers<never>()
    lose = reject
    return promise
  }
  return { request } as unknown as LockManager // Only this method is used.
}

const settled = () => new Promise((resolve) => setTimeout(resolve))

test('the newest window runs the wallet; an older one may take over again', async () => {
  const locks = fakeLocks()
  const [first, second] = [singleWindow(locks), singleWindow(locks)]
  await settled()
  expect([first.isCurrent(), second.isCurrent()]).toEqual([false, true])
  first.takeOver()
  await settled()
  expect([first.isCurrent(), second.isCurrent()]).toEqual([true, false])
})

test('a window that takes over twice keeps the wallet', async () => {
  const window = singleWindow(fakeLocks())
  window.takeOver()
  await settled()
  expect(window.isCurrent()).toBe(true)
})
