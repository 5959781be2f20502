import { BANNERS_UNREADABLE, type Banner, type Dismissals } from '@portico/contracts/banner'
import { HTTP_TIMEOUT_MS } from '@portico/contracts/limits'
import { NOTICES } from '@portico/contracts/notices'
import { parseJson } from '@portico/contracts/parse-json'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import type { TextStorage } from '@portico/contracts/text-storage'
import { bannersIn, currentDismissals, dismissalsIn } from '@portico/rules/banners'

/** The banners of a page (§4.3), or the error that prevented reading them, which is never shown. */
type ReadBanners =
  | { readonly banners: readonly Banner[]; readonly dismissals: Dismissals }
  | { readonly error: string }

/** Fetches the banner file and drops stale dismissals from local storage. */
export async function readBanners(
  url: string,
  { storage, signal }: { storage: TextStorage; signal: AbortSignal },
): Promise<ReadBanners> {
  let text: string
  try {
    text = await fetchFile(url, signal)
  } catch (error) {
    return { error: (error as Error).message }
  }
  const banners = bannersIn(parseJson(text))
  if (banners === undefined) return { error: BANNERS_UNREADABLE }
  const dismissals = currentDismissals(banners, readDismissals(storage))
  writeDismissals(storage, dismissals)
  return { banners, dismissals }
}

export function readDismissals(storage: TextStorage): Dismissals {
  return dismissalsIn(storage.read(STORAGE_KEYS.dismissedBanners))
}

/** Stores a dismissal. Reads the others again first, because another tab may have changed them. */
export function saveDismissal(storage: TextStorage, dismissal: Dismissals): void {
  writeDismissals(storage, { ...readDismissals(storage), ...dismissal })
}

function writeDismissals(storage: TextStorage, dismissals: Dismissals): void {
  if (Object.keys(dismissals).length === 0) storage.remove(STORAGE_KEYS.dismissedBanners)
  else storage.write(STORAGE_KEYS.dismissedBanners, JSON.stringify(dismissals))
}

/**
 * Fetches the banner file (§7.7). Does not use the HTTP helper of §7.1: a public bucket must not receive the token or
 * trace headers, and any custom header would trigger a CORS preflight.
 */
async function fetchFile(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, {
    cache: 'no-cache',
    signal: AbortSignal.any([signal, AbortSignal.timeout(HTTP_TIMEOUT_MS)]),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(text === '' ? NOTICES.fetchFailed : text)
  return text
}
