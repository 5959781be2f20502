/** A small store of texts that may be blocked or full; it then forgets, and nothing else happens. */
export interface TextStorage {
  readonly read: (key: string) => string | undefined
  readonly keep: (key: string, text: string) => void
  readonly remove: (key: string) => void
}

/** A browser's storage that may be blocked or full: what cannot be kept is forgotten. */
export function textStorage(storage: () => Storage): TextStorage {
  const attempt = <Value>(access: (storage: Storage) => Value): Value | undefined => {
    try {
      return access(storage())
    } catch {
      // Blocked by the browser or full: the page works, only its memory is shorter.
      return undefined
    }
  }
  return {
    read: (key) => attempt((kept) => kept.getItem(key)) ?? undefined,
    keep(key, text) {
      const isKept = attempt((kept) => {
        kept.setItem(key, text)
        return true
      })
      // What stands there from before would be taken for this.
      if (!isKept) attempt((kept) => kept.removeItem(key))
    },
    remove: (key) => attempt((kept) => kept.removeItem(key)),
  }
}
