/**
 * How long nothing is sent after a failure: longer each time, for every page of the browser. A server that is down costs
 * a visitor nothing, and finds no crowd before it when it is back.
 */
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { parsedJson } from './parsed-json.ts'
import type { Platform } from './platform.ts'

const FIRST_MS = 5000
/** No pause is longer, whatever a server or a stored text says. */
export const PAUSE_MAXIMUM_MS = 30 * 60 * 1000
const KEY = `${STORAGE_KEYS.telemetry}.pause`

/** The pause after failures. */
export interface Pause {
  /** How much of it is left, in milliseconds. */
  readonly left: () => number
  readonly begin: (retryAfterMs?: number) => void
  readonly end: () => void
}

/** Opens the pause of a browser. */
export function openPause({
  storage,
  clock,
  chance,
}: Pick<Platform, 'storage' | 'clock' | 'chance'>): Pause {
  function kept(): { readonly until: number; readonly failures: number } {
    const { until, failures } = parsedJson(storage.read(KEY))
    // A pause that is longer than any is of a clock that was wrong.
    return typeof until === 'number' &&
      typeof failures === 'number' &&
      until - clock() <= PAUSE_MAXIMUM_MS
      ? { until, failures }
      : { until: 0, failures: 0 }
  }
  return {
    left: () => Math.max(0, kept().until - clock()),
    begin(retryAfterMs = 0) {
      const failures = Math.max(0, kept().failures) + 1
      const growing = FIRST_MS * 2 ** Math.min(failures - 1, 10) * (0.5 + chance() / 2)
      const pause = Math.min(PAUSE_MAXIMUM_MS, Math.max(growing, retryAfterMs))
      storage.keep(KEY, JSON.stringify({ until: clock() + pause, failures }))
    },
    end() {
      if (storage.read(KEY) !== undefined) storage.remove(KEY)
    },
  }
}
