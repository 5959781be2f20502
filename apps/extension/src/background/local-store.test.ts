import { expect, test, vi } from 'vitest'
import { localStore } from './local-store.ts'

test('7.4 a full storage is refused with a message for the user, and nothing changes', async () => {
  vi.stubGlobal('navigator', {
    locks: { request: (_: string, task: () => Promise<void>) => task() },
  })
  const area = {
    get: async () => ({ vault: 'old' }),
    set: async () => {
      throw new Error('QuotaExceededError: storage.local')
    },
  }
  // The store uses no other part of the browser's interface.
  const store = localStore(area as unknown as chrome.storage.StorageArea)
  await expect(store.update('vault', () => 'new')).rejects.toMatchObject({
    code: 'storage-unavailable',
  })
  expect(await store.read('vault')).toBe('old')
  vi.unstubAllGlobals()
})
