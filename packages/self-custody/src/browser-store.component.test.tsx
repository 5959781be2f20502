import { expect, test } from 'vitest'
import { browserStore } from './browser-store.ts'

let count = 0
const newName = () => {
  count += 1
  return `test-${count}-${Date.now()}`
}

test('a value is stored, changed, removed, and read by another window', async () => {
  const name = newName()
  const store = browserStore(name)
  const other = browserStore(name)
  expect(await store.read('vault')).toBeUndefined()
  await store.update('vault', () => 'one')
  expect(await other.read('vault')).toBe('one')
  await other.update('vault', (stored) => `${stored} two`)
  expect(await store.read('vault')).toBe('one two')
  await store.update('vault', () => undefined)
  expect(await other.read('vault')).toBeUndefined()
})

test('a hundred slow changes by two windows at once are all made', async () => {
  const name = newName()
  const [store, other] = [browserStore(name), browserStore(name)]
  await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      (index % 2 === 0 ? store : other).update('count', async (stored = '0') => {
        // IndexedDB alone would have committed its transaction by now.
        await crypto.subtle.digest('SHA-256', new Uint8Array(1000))
        return `${Number(stored) + 1}`
      }),
    ),
  )
  expect(await store.read('count')).toBe('100')
})

test('a change that fails changes nothing and does not block the next one', async () => {
  const store = browserStore(newName())
  await store.update('vault', () => 'one')
  const failure = new Error('no')
  const failing = store.update('vault', () => {
    throw failure
  })
  await expect(failing).rejects.toBe(failure)
  expect(await store.read('vault')).toBe('one')
  await store.update('vault', () => 'two')
  expect(await store.read('vault')).toBe('two')
})

test('the listeners of every window are called for their key only', async () => {
  const name = newName()
  const stores = [browserStore(name), browserStore(name)]
  const calls: string[] = []
  stores[0]?.subscribe('vault', () => calls.push('own'))
  const isNotified = new Promise<void>((resolve) => {
    stores[1]?.subscribe('vault', () => {
      calls.push('other')
      resolve()
    })
  })
  const unsubscribe = stores[0]?.subscribe('vault', () => calls.push('gone'))
  unsubscribe?.()
  stores[0]?.subscribe('sites', () => calls.push('sites'))
  await stores[0]?.update('vault', () => 'one')
  await isNotified
  expect(calls).toEqual(['own', 'other'])
})

test('an update that keeps the value calls no listener', async () => {
  const store = browserStore(newName())
  await store.update('vault', () => 'one')
  let calls = 0
  store.subscribe('vault', () => {
    calls += 1
  })
  await store.update('vault', (stored) => stored)
  expect(calls).toBe(0)
  await store.update('vault', () => 'two')
  expect(calls).toBe(1)
})
