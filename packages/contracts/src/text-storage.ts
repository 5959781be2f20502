/** String storage that never throws. */
export interface TextStorage {
  readonly read: (key: string) => string | undefined
  readonly write: (key: string, text: string) => void
  readonly remove: (key: string) => void
}

/**
 * Wraps a browser storage that may be missing, blocked or full. Values that cannot be stored are kept in `memory`;
 * without it they are dropped.
 */
export function textStorage(storage: () => Storage, memory?: Map<string, string>): TextStorage {
  return {
    read: (key) => memory?.get(key) ?? attempt(() => storage().getItem(key)) ?? undefined,
    write(key, text) {
      const isStored = attempt(() => {
        storage().setItem(key, text)
        return true
      })
      if (isStored) memory?.delete(key)
      else if (memory) memory.set(key, text)
      // Remove the previous value, which would otherwise be read as the current one.
      else attempt(() => storage().removeItem(key))
    },
    remove(key) {
      memory?.delete(key)
      attempt(() => storage().removeItem(key))
    },
  }
}

/** The result of a storage or cookie access; undefined if the browser blocks it or the storage is full. */
export function attempt<Value>(access: () => Value): Value | undefined {
  try {
    return access()
  } catch {
    // The page works without stored values.
    return undefined
  }
}
