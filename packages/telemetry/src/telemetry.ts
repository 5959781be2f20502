/**
 * Telemetry's front door (§7.8): small enough for every page's first script. What does the work is fetched when the
 * page has nothing better to do; until then events wait in memory. Nothing here is ever waited for, and whoever
 * refuses to be counted loads, sends and keeps nothing.
 */
import type { PageData } from '@portico/contracts/page-data'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import type { Engine } from './engine.ts'
import type { Happened } from './happened.ts'
import { keyedStorage } from './keyed-storage.ts'
import type { TelemetrySettings } from './settings.ts'
import { forgetTelemetry } from './stored.ts'

/** Hears what happens. */
export interface Telemetry {
  /** Somebody came to a page (§2.1); told of the same one twice in a row, it is one view. */
  readonly pageViewed: (path: string) => void
  /** Somebody has registered. */
  readonly registered: () => void
  /** The session's name, which ties a sign-in to it (§7.2), where there is one by now. */
  readonly trackingId: () => string | undefined
}

/** Telemetry of whoever is not counted. */
export const NO_TELEMETRY: Telemetry = {
  pageViewed: () => undefined,
  registered: () => undefined,
  trackingId: () => undefined,
}

/** Events of a page that was left before telemetry was there. */
const EARLY_KEY = `${STORAGE_KEYS.telemetry}.early`
const IDLE_AT_THE_LATEST_MS = 4000

/** Opens the telemetry of a page; where its data or Global Privacy Control say so, there is none. */
export function openTelemetry(
  window: Window,
  page: Pick<PageData, 'session' | 'telemetry'> & {
    readonly organization: Pick<PageData['organization'], 'orgCode'>
  },
): Telemetry {
  const storage = keyedStorage(() => window.localStorage)
  if (page.telemetry === null || isPrivate(window.navigator)) {
    forgetTelemetry(storage)
    return NO_TELEMETRY
  }
  const settings: TelemetrySettings = {
    ...page.telemetry,
    context: page.session === null ? 'external' : 'internal',
    organization: page.organization.orgCode,
  }
  let lastPath: string | undefined
  let engine: Engine | undefined
  let early: Happened[] = []

  const tell = (happened: Omit<Happened, 'search'>) => {
    const told = { ...happened, search: window.location.search }
    if (engine === undefined) early.push(told)
    else engine.tell(told)
  }

  const begin = async () => {
    try {
      const { beginWork } = await import('./begin-work.ts')
      engine = beginWork(window, storage, settings, { key: EARLY_KEY, told: early })
      early = []
    } catch {
      // Blocked by the browser, or gone with a release: the page does without.
    }
  }
  whenIdle(window, () => void begin())
  window.addEventListener('pagehide', () => {
    if (early.length === 0) return
    // Not yet masked, so without the query: what is in an address is nobody's business but the page's.
    const told = early.map((each) => ({ ...each, search: '' }))
    storage.keep(EARLY_KEY, JSON.stringify({ told }))
    early = []
  })

  return {
    pageViewed(path) {
      // React may tell of the same page again.
      if (path === lastPath) return
      lastPath = path
      tell({ event: 'page_view', eventType: 'PAGE_VIEW', pagePath: path, dontDedupe: true })
    },
    registered: () =>
      tell({ event: 'register', eventType: 'ACTION', pagePath: window.location.pathname }),
    trackingId: () => engine?.trackingId(),
  }
}

function isPrivate(navigator: Navigator & { readonly globalPrivacyControl?: unknown }): boolean {
  return navigator.globalPrivacyControl === true
}

/** Waits until the page is there and has nothing to do. */
function whenIdle(window: Window, work: () => void): void {
  const idle = () => {
    if ('requestIdleCallback' in window) {
      window.requestIdleCallback(work, { timeout: IDLE_AT_THE_LATEST_MS })
    } else setTimeout(work, IDLE_AT_THE_LATEST_MS / 4)
  }
  if (window.document.readyState === 'complete') idle()
  else window.addEventListener('load', idle, { once: true })
}
