/** Texts by their keys, which other tabs of the browser see too. */
export interface KeyedStorage {
  readonly keys: () => readonly string[]
  readonly read: (key: string) => string | undefined
  readonly keep: (key: string, text: string) => void
  readonly remove: (key: string) => void
}

/** A browser's storage. What it does not take, because it is full or blocked, this page remembers by itself. */
export function keyedStorage(storage: () => Storage): KeyedStorage {
  const remembered = new Map<string, string>()
  const attempt = <Value>(access: (storage: Storage) => Value): Value | undefined => {
    try {
      return access(storage())
    } catch {
      // Blocked or full: the page's own memory is there.
      return undefined
    }
  }
  return {
    keys: () => [
      ...new Set([...(attempt((kept) => Object.keys(kept)) ?? []), ...remembered.keys()]),
    ],
    read: (key) => remembered.get(key) ?? attempt((kept) => kept.getItem(key)) ?? undefined,
    keep(key, text) {
      const isKept = attempt((kept) => {
        kept.setItem(key, text)
        return true
      })
      if (isKept) remembered.delete(key)
      else remembered.set(key, text)
    },
    remove(key) {
      remembered.delete(key)
      attempt((kept) => kept.removeItem(key))
    },
  }
}
