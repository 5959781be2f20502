import { STORAGE_KEYS } from '@portico/contracts/storage-keys'

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

/** Where events of a page that closed before the engine was loaded are stored. */
export const EARLY_EVENTS_KEY = `${STORAGE_KEYS.telemetry}.early`

/** Removes everything telemetry has stored in this browser, for visitors who must not be tracked. */
export function clearTelemetry(storage: KeyedStorage): void {
  for (const key of storage.keys()) if (key.startsWith(STORAGE_KEYS.telemetry)) storage.remove(key)
}

/** The properties of a stored JSON object; empty if it is not valid JSON. The caller validates each property. */
export function parsedJson(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text ?? '') ?? {}) as Readonly<Record<string, unknown>>
  } catch {
    // Written by other code, or truncated.
    return {}
  }
}
