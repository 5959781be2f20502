/**
 * The entry point of telemetry (§7.8), small enough for every page's initial script. The engine is loaded when the page is
 * idle; until then events wait in memory. Nothing here blocks the page. For visitors who opt out, nothing is loaded, sent
 * or stored.
 */
import type { PageData } from '@portico/contracts/page-data'
import type { Engine } from './engine.ts'
import type { PageEvent, TelemetrySettings } from './platform.ts'
import {
  clearTelemetry,
  EARLY_EVENTS_KEY,
  keyedStorage,
  MAX_EVENTS,
  parseJsonObject,
} from './telemetry-storage.ts'

export interface Telemetry {
  /** Records a page view (§2.1); consecutive calls with the same path count once. */
  readonly pageViewed: (path: string) => void
  /** Records a registration. */
  readonly registered: () => void
  /** Records that the gatekeeper refused a flow request, without its content (§5). */
  readonly flowRefused: (violations: number) => void
  /** Records the code of an error that the visitor was shown, once per page and visit. */
  readonly problemShown: (reason: string) => void
  /** The session ID that a login is linked to (§7.2), if a session exists yet. */
  readonly trackingId: () => string | undefined
}

/** Telemetry for visitors who opted out. */
export const NO_TELEMETRY: Telemetry = {
  pageViewed: () => undefined,
  registered: () => undefined,
  flowRefused: () => undefined,
  problemShown: () => undefined,
  trackingId: () => undefined,
}

const IDLE_TIMEOUT_MS = 4000

/** Creates a page's telemetry; disabled by the page data or by Global Privacy Control. */
export function openTelemetry(
  window: Window,
  page: Pick<PageData, 'session' | 'telemetry'> & {
    readonly organization: Pick<PageData['organization'], 'orgCode'>
  },
): Telemetry {
  const storage = keyedStorage(() => window.localStorage)
  if (page.telemetry === null || isPrivate(window.navigator)) {
    clearTelemetry(storage)
    return NO_TELEMETRY
  }
  const settings: TelemetrySettings = {
    ...page.telemetry,
    context: page.session === null ? 'external' : 'internal',
    organization: page.organization.orgCode,
  }
  let lastPath: string | undefined
  let engine: Engine | undefined
  let early: PageEvent[] = []

  const track = (event: Omit<PageEvent, 'search'>) => {
    const pageEvent = { ...event, search: window.location.search }
    if (engine === undefined) early.push(pageEvent)
    else engine.track(pageEvent)
  }

  const begin = async () => {
    try {
      const { startTelemetry } = await import('./engine.ts')
      engine = startTelemetry(window, storage, settings, early)
      early = []
    } catch {
      // Blocked by the browser, or removed by a release: the page works without telemetry.
    }
  }
  whenIdle(window, () => void begin())
  window.addEventListener('pagehide', () => {
    if (early.length === 0) return
    // Not masked yet, so store it without the query, which may contain personal data.
    const added = early.map((event) => ({ ...event, search: '' }))
    // Those of other pages, or other tabs, may wait there too.
    const { events: stored } = parseJsonObject(storage.read(EARLY_EVENTS_KEY))
    const events = [...(Array.isArray(stored) ? stored : []), ...added].slice(-MAX_EVENTS)
    storage.write(EARLY_EVENTS_KEY, JSON.stringify({ events }))
    early = []
  })

  return {
    pageViewed(path) {
      // React may run the effect for the same page again.
      if (path === lastPath) return
      lastPath = path
      track({ event: 'page_view', eventType: 'PAGE_VIEW', pagePath: path, dontDedupe: true })
    },
    registered: () =>
      track({ event: 'register', eventType: 'ACTION', pagePath: window.location.pathname }),
    flowRefused: (violations) =>
      track({
        event: 'gatekeeper_violation',
        eventType: 'ACTION',
        pagePath: window.location.pathname,
        eventProperties: { violations },
      }),
    problemShown: (reason) =>
      track({
        event: 'problem',
        eventType: 'ACTION',
        pagePath: window.location.pathname,
        eventProperties: { reason },
      }),
    trackingId: () => engine?.trackingId(),
  }
}

function isPrivate(navigator: Navigator & { readonly globalPrivacyControl?: unknown }): boolean {
  return navigator.globalPrivacyControl === true
}

/** Runs work once the page is loaded and idle. */
function whenIdle(window: Window, work: () => void): void {
  const idle = () => {
    if ('requestIdleCallback' in window) {
      window.requestIdleCallback(work, { timeout: IDLE_TIMEOUT_MS })
    } else setTimeout(work, IDLE_TIMEOUT_MS / 4)
  }
  if (window.document.readyState === 'complete') idle()
  else window.addEventListener('load', idle, { once: true })
}
