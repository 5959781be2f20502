/** String storage. If the browser's storage is blocked or full, writes are dropped without an error. */
export interface TextStorage {
  readonly read: (key: string) => string | undefined
  readonly keep: (key: string, text: string) => void
  readonly remove: (key: string) => void
}

/** Wraps a browser storage that may be blocked or full. */
export function textStorage(storage: () => Storage): TextStorage {
  const attempt = <Value>(access: (storage: Storage) => Value): Value | undefined => {
    try {
      return access(storage())
    } catch {
      // Blocked by the browser or full: the page works without stored values.
      return undefined
    }
  }
  return {
    read: (key) => attempt((available) => available.getItem(key)) ?? undefined,
    keep(key, text) {
      const isStored = attempt((available) => {
        available.setItem(key, text)
        return true
      })
      // Remove the previous value, which would otherwise be read as the current one.
      if (!isStored) attempt((available) => available.removeItem(key))
    },
    remove: (key) => attempt((available) => available.removeItem(key)),
  }
}
