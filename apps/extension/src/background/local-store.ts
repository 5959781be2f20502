import { Refusal } from '@portico/contracts/errors'
import type { DeviceStore } from '@portico/wallet-kit/device-wallet'
import * as z from 'zod/mini'

const Stored = z.optional(z.string())

/** An area of the extension's storage. A lock makes each change atomic, also while one worker ends and the next one starts. */
export function localStore(area: chrome.storage.StorageArea): DeviceStore {
  const read = async (key: string) => Stored.parse((await area.get(key))[key])
  return {
    read,
    async update(key, change) {
      await navigator.locks.request(`store ${key}`, async () => {
        const stored = await read(key)
        const next = await change(stored)
        if (next === stored) return
        await (next === undefined ? area.remove(key) : area.set({ [key]: next })).catch(unavailable)
      })
    },
    subscribe(key, listener) {
      const onChanged = (changes: Readonly<Record<string, unknown>>) => {
        if (Object.hasOwn(changes, key)) listener()
      }
      area.onChanged.addListener(onChanged)
      return () => area.onChanged.removeListener(onChanged)
    },
  }
}

/** The storage is full, or the browser's profile is damaged. */
function unavailable(cause: unknown): never {
  throw new Refusal('storage-unavailable', { cause })
}
