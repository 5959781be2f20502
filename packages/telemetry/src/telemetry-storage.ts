import { parseJson } from '@portico/contracts/parse-json'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { attempt, type TextStorage, textStorage } from '@portico/contracts/text-storage'

/** String storage shared by all tabs, with a listing of its keys. */
export interface KeyedStorage extends TextStorage {
  readonly keys: () => readonly string[]
}

/** Wraps a browser storage; if it is full or blocked, values are kept in memory. */
export function keyedStorage(storage: () => Storage): KeyedStorage {
  const memory = new Map<string, string>()
  return {
    ...textStorage(storage, memory),
    keys: () => [...new Set([...(attempt(() => Object.keys(storage())) ?? []), ...memory.keys()])],
  }
}

/** The most events that are stored. The oldest are dropped first. */
export const MAX_EVENTS = 100

/** Where events of a page that closed before the engine was loaded are stored. */
export const EARLY_EVENTS_KEY = `${STORAGE_KEYS.telemetry}.early`

/** Removes everything telemetry has stored in this browser, for visitors who must not be tracked. */
export function clearTelemetry(storage: KeyedStorage): void {
  for (const key of storage.keys()) if (key.startsWith(STORAGE_KEYS.telemetry)) storage.remove(key)
}

/** The properties of a stored JSON object; empty if it is not valid JSON. The caller validates each property. */
export function parseJsonObject(text: string | undefined): Readonly<Record<string, unknown>> {
  return Object(parseJson(text)) as Readonly<Record<string, unknown>>
}
