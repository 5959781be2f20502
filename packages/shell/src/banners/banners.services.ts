import { BANNERS_UNREADABLE, type Dismissals } from '@portico/contracts/banner'
import { NOTICES } from '@portico/contracts/errors'
import { HTTP_TIMEOUT_MS } from '@portico/contracts/limits'
import { parseJson } from '@portico/contracts/parse-json'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import type { TextStorage } from '@portico/contracts/text-storage'
import type { Services } from '@portico/flow'
import { bannersIn, dismissalsIn, settledDismissals } from '@portico/rules/banners'
import type { Command, Event } from './banners.flow.ts'

export interface BannersDeps {
  /** The URL of the banner file. */
  readonly url: string
  readonly fetch: typeof fetch
  /** Local storage, shared by all tabs. */
  readonly storage: TextStorage
  /** Listens for changes to stored values by other tabs; returns the unsubscribe function. */
  readonly watchStorage: (listener: (key: string | null) => void) => () => void
}

export function bannersServices({
  url,
  fetch,
  storage,
  watchStorage,
}: BannersDeps): Services<Event, Command> {
  const readDismissals = () => dismissalsIn(storage.read(STORAGE_KEYS.dismissedBanners))
  const writeDismissals = (dismissals: Dismissals) => {
    if (Object.keys(dismissals).length === 0) storage.remove(STORAGE_KEYS.dismissedBanners)
    else storage.keep(STORAGE_KEYS.dismissedBanners, JSON.stringify(dismissals))
  }
  return {
    async readBanners(_, signal) {
      let text: string
      try {
        text = await fetchFile(url, fetch, signal)
      } catch (error) {
        return { type: 'readFailed', error: (error as Error).message }
      }
      const banners = bannersIn(parseJson(text))
      if (banners === undefined) return { type: 'readFailed', error: BANNERS_UNREADABLE }
      const dismissals = settledDismissals(banners, readDismissals())
      writeDismissals(dismissals)
      return { type: 'bannersRead', banners, dismissals }
    },
    // Read again before writing, because another tab may have changed the dismissals.
    saveDismissal: ({ uuid, dismissal }) =>
      writeDismissals({ ...readDismissals(), [uuid]: dismissal }),
    async *watchDismissals(_, signal) {
      let changed = Promise.withResolvers<boolean>()
      const stop = watchStorage((key) => {
        if (key === STORAGE_KEYS.dismissedBanners) changed.resolve(true)
      })
      signal.addEventListener('abort', () => changed.resolve(false))
      while (await changed.promise) {
        changed = Promise.withResolvers()
        yield { type: 'dismissedElsewhere', dismissals: readDismissals() }
      }
      stop()
    },
  }
}

/**
 * Fetches the banner file (§7.7). Does not use the HTTP helper of §7.1: a public bucket must not receive the token or
 * trace headers, and any custom header would trigger a CORS preflight.
 */
async function fetchFile(url: string, fetch: BannersDeps['fetch'], signal: AbortSignal) {
  const response = await fetch(url, {
    cache: 'no-cache',
    signal: AbortSignal.any([signal, AbortSignal.timeout(HTTP_TIMEOUT_MS)]),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(text === '' ? NOTICES.fetchFailed : text)
  return text
}
