import type { DeviceStore } from '@portico/wallet-kit/device-wallet'

/** A store in memory. Several keepers on one of them are like several windows on one device. */
export function memoryStore(values = new Map<string, string>()): DeviceStore {
  const queues = new Map<string, Promise<unknown>>()
  const listeners = new Map<string, Set<() => void>>()
  return {
    read: async (key) => values.get(key),
    update(key, change) {
      const result = (queues.get(key) ?? Promise.resolve()).then(async () => {
        const value = await change(values.get(key))
        if (value === undefined) values.delete(key)
        else values.set(key, value)
        for (const listener of listeners.get(key) ?? []) listener()
      })
      queues.set(
        key,
        result.catch(() => undefined),
      )
      return result
    },
    subscribe(key, listener) {
      const all = listeners.get(key) ?? new Set()
      listeners.set(key, all.add(listener))
      return () => all.delete(listener)
    },
  }
}
