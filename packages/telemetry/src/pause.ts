/**
 * Exponential backoff after failed requests, shared by all pages of the browser, so that an unavailable server costs the
 * visitor nothing and is not overloaded when it recovers.
 */
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { parsedJson } from './parsed-json.ts'
import type { Platform } from './platform.ts'

const INITIAL_PAUSE_MS = 5000
/** The maximum pause, whatever the server or a stored value says. */
export const PAUSE_MAXIMUM_MS = 30 * 60 * 1000
const KEY = `${STORAGE_KEYS.telemetry}.pause`

export interface Pause {
  /** The remaining time in milliseconds. */
  readonly left: () => number
  readonly begin: (retryAfterMs?: number) => void
  readonly end: () => void
}

export function openPause({
  storage,
  clock,
  chance,
}: Pick<Platform, 'storage' | 'clock' | 'chance'>): Pause {
  function stored(): { readonly until: number; readonly failures: number } {
    const { until, failures } = parsedJson(storage.read(KEY))
    // A stored pause longer than the maximum comes from a wrong clock.
    return typeof until === 'number' &&
      typeof failures === 'number' &&
      until - clock() <= PAUSE_MAXIMUM_MS
      ? { until, failures }
      : { until: 0, failures: 0 }
  }
  return {
    left: () => Math.max(0, stored().until - clock()),
    begin(retryAfterMs = 0) {
      const failures = Math.max(0, stored().failures) + 1
      const backoff = INITIAL_PAUSE_MS * 2 ** Math.min(failures - 1, 10) * (0.5 + chance() / 2)
      const pause = Math.min(PAUSE_MAXIMUM_MS, Math.max(backoff, retryAfterMs))
      storage.keep(KEY, JSON.stringify({ until: clock() + pause, failures }))
    },
    end() {
      if (storage.read(KEY) !== undefined) storage.remove(KEY)
    },
  }
}
