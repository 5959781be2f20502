import { STORAGE_KEYS } from '@portico/contracts/storage-keys'

/** Removes all that telemetry keeps in a browser: whoever refuses it keeps nothing of it either. */
export function forgetTelemetry(storage: {
  readonly keys: () => readonly string[]
  readonly remove: (key: string) => void
}): void {
  for (const key of storage.keys()) if (key.startsWith(STORAGE_KEYS.telemetry)) storage.remove(key)
}
