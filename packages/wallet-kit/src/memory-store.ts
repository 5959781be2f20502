import type { DeviceStore } from './device-wallet.ts'

/** A device's storage in memory, for tests. Several windows and processes of one device share it; `values` is its content. */
export function memoryStore(
  values = new Map<string, string>(),
): DeviceStore & { readonly values: Map<string, string> } {
  const queues = new Map<string, Promise<unknown>>()
  const listeners = new Map<string, Set<() => void>>()
  return {
    values,
    read: async (key) => values.get(key),
    update(key, change) {
      const result = (queues.get(key) ?? Promise.resolve()).then(async () => {
        const stored = values.get(key)
        const value = await change(stored)
        if (value === stored) return
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
