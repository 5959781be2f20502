import { STORAGE_KEYS } from '@portico/contracts/storage-keys'

/** Removes everything telemetry has stored in this browser; called when the visitor opts out. */
export function clearTelemetry(storage: {
  readonly keys: () => readonly string[]
  readonly remove: (key: string) => void
}): void {
  for (const key of storage.keys()) if (key.startsWith(STORAGE_KEYS.telemetry)) storage.remove(key)
}
