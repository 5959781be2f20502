import type { TextStorage } from './environment.ts'

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
    keep: (key, text) => attempt((kept) => kept.setItem(key, text)),
    remove: (key) => attempt((kept) => kept.removeItem(key)),
  }
}
