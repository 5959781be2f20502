/** String storage shared by all tabs, with a listing of its keys. */
export interface KeyedStorage {
  readonly keys: () => readonly string[]
  readonly read: (key: string) => string | undefined
  readonly keep: (key: string, text: string) => void
  readonly remove: (key: string) => void
}

/** Wraps a browser storage; if it is full or blocked, values are kept in memory. */
export function keyedStorage(storage: () => Storage): KeyedStorage {
  const inMemory = new Map<string, string>()
  const attempt = <Value>(access: (storage: Storage) => Value): Value | undefined => {
    try {
      return access(storage())
    } catch {
      // Blocked or full: fall back to memory.
      return undefined
    }
  }
  return {
    keys: () => [...new Set([...(attempt((kept) => Object.keys(kept)) ?? []), ...inMemory.keys()])],
    read: (key) => inMemory.get(key) ?? attempt((kept) => kept.getItem(key)) ?? undefined,
    keep(key, text) {
      const isStored = attempt((kept) => {
        kept.setItem(key, text)
        return true
      })
      if (isStored) inMemory.delete(key)
      else inMemory.set(key, text)
    },
    remove(key) {
      inMemory.delete(key)
      attempt((kept) => kept.removeItem(key))
    },
  }
}
