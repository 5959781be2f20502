import { BANNERS_UNREADABLE, type Dismissals } from '@portico/contracts/banner'
import { NOTICES } from '@portico/contracts/errors'
import { HTTP_TIMEOUT_MS } from '@portico/contracts/limits'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import type { Services } from '@portico/flow'
import { bannersIn, dismissalsIn, settledDismissals } from '@portico/rules/banners'
import type { TextStorage } from '../text-storage.ts'
import type { Command, Event } from './banners.flow.ts'

/** What the banners lean on. */
export interface BannersDeps {
  /** Where the banner file is. */
  readonly url: string
  readonly fetch: typeof fetch
  /** Shared by all tabs. */
  readonly storage: TextStorage
  /** Tells when another tab has changed a stored value; gives the way to stop listening. */
  readonly watchStorage: (listener: (key: string | null) => void) => () => void
}

/** Carries out what the banners have done; each service reports back with an event. */
export function bannersServices({
  url,
  fetch,
  storage,
  watchStorage,
}: BannersDeps): Services<Event, Command> {
  const kept = () => dismissalsIn(storage.read(STORAGE_KEYS.dismissedBanners))
  const keep = (dismissals: Dismissals) => {
    if (Object.keys(dismissals).length === 0) storage.remove(STORAGE_KEYS.dismissedBanners)
    else storage.keep(STORAGE_KEYS.dismissedBanners, JSON.stringify(dismissals))
  }
  return {
    async readBanners(_, signal) {
      let text: string
      try {
        text = await fileAt(url, fetch, signal)
      } catch (error) {
        return { type: 'readFailed', error: (error as Error).message }
      }
      const banners = bannersIn(parsed(text))
      if (banners === undefined) return { type: 'readFailed', error: BANNERS_UNREADABLE }
      const dismissals = settledDismissals(banners, kept())
      keep(dismissals)
      return { type: 'bannersRead', banners, dismissals }
    },
    // Read anew before it is written: another tab may have dismissed or dropped something meanwhile.
    keepDismissal: ({ uuid, dismissal }) => keep({ ...kept(), [uuid]: dismissal }),
    async *watchDismissals(_, signal) {
      let changed = Promise.withResolvers<boolean>()
      const stop = watchStorage((key) => {
        if (key === STORAGE_KEYS.dismissedBanners) changed.resolve(true)
      })
      signal.addEventListener('abort', () => changed.resolve(false))
      while (await changed.promise) {
        changed = Promise.withResolvers()
        yield { type: 'dismissedElsewhere', dismissals: kept() }
      }
      stop()
    },
  }
}

/**
 * The banner file as it is now (§7.7). Not by the HTTP helper of §7.1: a public bucket must see neither token nor trace,
 * and any header of ours would make the browser ask it for leave first.
 */
async function fileAt(url: string, fetch: BannersDeps['fetch'], signal: AbortSignal) {
  const response = await fetch(url, {
    cache: 'no-cache',
    signal: AbortSignal.any([signal, AbortSignal.timeout(HTTP_TIMEOUT_MS)]),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(text === '' ? NOTICES.fetchFailed : text)
  return text
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // No JSON is no list either, and that is what is said of it (§8).
    return undefined
  }
}
