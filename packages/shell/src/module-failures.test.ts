import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { moduleFailure, moduleLoader } from './module-failures.ts'
import { memoryStorage } from './testing.tsx'

const isReachable = async () => true

const broken = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))

test('4.11 the page reloads up to 5 times per session, then the failure shows', async () => {
  const storage = memoryStorage()
  let reloads = 0
  const load = moduleLoader({ storage, reload: () => void (reloads += 1), isReachable })
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    void load(broken)
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(reloads).toBe(attempt)
  }
  await expect(load(broken)).rejects.toThrow('Failed to fetch')
  expect(reloads).toBe(5)
  expect(storage.read('module-reloads')).toBe('5')
})

test('4.11 an invalid counter starts again', async () => {
  const storage = memoryStorage({ 'module-reloads': 'many' })
  void moduleLoader({ storage, reload: () => undefined, isReachable })(broken)
  await new Promise((resolve) => setTimeout(resolve, 0))
  expect(storage.read('module-reloads')).toBe('1')
})

test('4.11 if the count cannot be stored the error shows at once, to avoid endless reloads', async () => {
  const blocked = { ...memoryStorage(), write: () => undefined }
  const load = moduleLoader({
    storage: blocked,
    isReachable,
    reload: () => expect.unreachable('the page must not reload'),
  })
  await expect(load(broken)).rejects.toThrow('Failed to fetch')
})

test('4.11 a loaded module is returned', async () => {
  const load = moduleLoader({ storage: memoryStorage(), reload: () => undefined, isReachable })
  expect(await load(async () => 'part')).toBe('part')
})

test.each([
  [0, { kind: 'reload', reloads: 1 }],
  [4, { kind: 'reload', reloads: 5 }],
  [5, { kind: 'giveUp' }],
  [6, { kind: 'giveUp' }],
])('4.11 after %d reloads: %j', (reloads, expected) => {
  expect(moduleFailure(reloads)).toEqual(expected)
})

test('4.11 a browser session has at most five reloads, however often a module fails', () => {
  fc.assert(
    fc.property(fc.nat({ max: 50 }), (failures) => {
      let reloads = 0
      for (let failure = 0; failure < failures; failure += 1) {
        const next = moduleFailure(reloads)
        if (next.kind === 'reload') reloads = next.reloads
      }
      expect(reloads).toBe(Math.min(failures, 5))
    }),
  )
})

test('without a connection the page stays, and the module fails like a call, any number of times', async () => {
  const storage = memoryStorage()
  const load = moduleLoader({
    storage,
    reload: () => expect.unreachable('the page must not reload'),
    isReachable: async () => false,
  })
  for (let attempt = 0; attempt < 7; attempt += 1) {
    await expect(load(broken)).rejects.toMatchObject({ code: 'unreachable' })
  }
  expect(storage.read('module-reloads')).toBeUndefined()
})
