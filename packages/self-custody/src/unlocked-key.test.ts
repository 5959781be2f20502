import { expect, test, vi } from 'vitest'
import { memoryKeyStore, unlockedKey } from './unlocked-key.ts'

const MINUTE_MS = 60_000
const KEY = { vaultId: 'a', dataKey: new Uint8Array(32).fill(5), idleMinutes: 5 } as const

async function aKey() {
  let now = 1_000_000
  const store = memoryKeyStore()
  const onExpired = vi.fn<() => void>()
  const open = () => unlockedKey(store, () => now, onExpired)
  const key = open()
  await key.write({ ...KEY, dataKey: Uint8Array.from(KEY.dataKey) })
  return {
    key,
    store,
    open,
    onExpired,
    pass: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

test('the key is available until the idle time has passed, even to a process that starts in the meantime', async () => {
  const { key, open, pass, store, onExpired } = await aKey()
  expect(await key.read()).toEqual(KEY)
  pass(5 * MINUTE_MS - 1)
  expect(await open().read()).toEqual(KEY)
  expect(onExpired).not.toHaveBeenCalled()
  pass(1)
  expect(await open().read()).toBeUndefined()
  expect(await store.read()).toBeUndefined()
  expect(onExpired).toHaveBeenCalledOnce()
})

test('input restarts the idle time; once it has passed, input does not unlock', async () => {
  const { key, pass } = await aKey()
  pass(4 * MINUTE_MS)
  await key.extend()
  pass(4 * MINUTE_MS)
  expect(await key.read()).toEqual(KEY)
  pass(MINUTE_MS)
  await key.extend()
  expect(await key.read()).toBeUndefined()
})

test('a clock that is set back locks, however often it is set back by less than the idle time', async () => {
  const { key, pass } = await aKey()
  pass(4 * MINUTE_MS)
  expect(await key.read()).toBeDefined()
  pass(-3 * MINUTE_MS)
  expect(await key.read()).toBeUndefined()
})

test('a clock corrected by a second does not lock', async () => {
  const { key, pass } = await aKey()
  pass(-1000)
  expect(await key.read()).toEqual(KEY)
})

test('locking overwrites the bytes, and a use at the same moment does not bring them back', async () => {
  const { key, store } = await aKey()
  const uses = [key.read(), key.extend(), key.clear(), key.read(), key.extend()]
  await Promise.all(uses)
  expect(await store.read()).toBeUndefined()
  const kept = new Uint8Array(4).fill(1)
  await store.write(kept)
  const read = await store.read()
  await store.clear()
  // Bytes are copied in and out, so the caller keeps ownership of its own.
  expect(kept).toEqual(new Uint8Array(4).fill(1))
  expect(read).toEqual(kept)
})

test('without another use, a timer clears the memory', async () => {
  vi.useFakeTimers()
  try {
    const store = memoryKeyStore()
    const onExpired = vi.fn<() => void>()
    const key = unlockedKey(store, Date.now, onExpired)
    await key.write({ ...KEY, dataKey: Uint8Array.from(KEY.dataKey) })
    await vi.advanceTimersByTimeAsync(5 * MINUTE_MS)
    expect(onExpired).toHaveBeenCalledOnce()
    expect(await store.read()).toBeUndefined()
  } finally {
    vi.useRealTimers()
  }
})

test('a timer that fires before the idle time has passed by the clock is rescheduled', async () => {
  vi.useFakeTimers()
  try {
    let correctionMs = 0
    const onExpired = vi.fn<() => void>()
    const key = unlockedKey(memoryKeyStore(), () => Date.now() + correctionMs, onExpired)
    await key.write({ ...KEY, dataKey: Uint8Array.from(KEY.dataKey) })
    correctionMs = -2000
    await vi.advanceTimersByTimeAsync(5 * MINUTE_MS)
    expect(onExpired).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(2000)
    expect(onExpired).toHaveBeenCalledOnce()
  } finally {
    vi.useRealTimers()
  }
})

test.each([0, 32, 49, 80])('%i unreadable bytes are no key', async (length) => {
  const { key, store } = await aKey()
  await store.write(new Uint8Array(length).fill(255))
  expect(await key.read()).toBeUndefined()
  expect(await store.read()).toBeUndefined()
})
