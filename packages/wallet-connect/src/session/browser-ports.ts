import { textStorage } from '@portico/contracts/text-storage'
import { fieldsIn } from '../protocol/fields.ts'
import type { PeerMeta } from '../protocol/handshake.ts'
import type { SessionPorts, Stop } from './ports.ts'

/**
 * The session's ports in a browser. No browser API is accessed before it is used, so a module that creates a session
 * can also be loaded without a page, for example during server-side rendering.
 */
export function browserPorts(): SessionPorts {
  const isMobile = () => typeof window !== 'undefined' && isMobileDevice(window)
  return {
    now: Date.now,
    after: (delayMs, run) => {
      const timer = setTimeout(run, delayMs)
      return () => clearTimeout(timer)
    },
    every: (intervalMs, run) => {
      const timer = setInterval(run, intervalMs)
      return () => clearInterval(timer)
    },
    // Without local storage, for example during server-side rendering, a session lasts until the next reload.
    storage: textStorage(() => window.localStorage, new Map()),
    onStorageChange: (listener) =>
      listen('storage', (event: StorageEvent) => {
        if (event.storageArea === window.localStorage) listener(event.key)
      }),
    onOwnMessage: (listener) =>
      listen('message', (event: MessageEvent) => {
        // Extensions post to a page as the page itself; messages from other windows are ignored.
        if (event.source === window && event.origin === location.origin) listener(event.data)
      }),
    pageMetadata: () =>
      pageMetadata(typeof document === 'undefined' ? undefined : document, here()),
    href: here,
    isMobile,
    returnHref: () => (isMobile() ? here() : undefined),
    dispatch: (event, detail) => {
      if (typeof document === 'undefined') return
      document.dispatchEvent(new CustomEvent(event, { detail }))
    },
    hasExtension: (property) => fieldsIn(Reflect.get(globalThis, property))['isFigure'] === true,
    openWindow: (url) => void window.open(url, '_blank', 'noopener'),
    fetch: (...request) => fetch(...request),
    relay: {},
    log,
    report: (error) => {
      if (typeof reportError === 'function') reportError(error)
      else log('wallet session', error)
    },
  }
}

function log(text: string, about: unknown): void {
  // oxlint-disable-next-line no-console -- All other code logs through this port.
  console.warn(text, about)
}

function here(): string {
  return typeof location === 'undefined' ? 'http://localhost/' : location.href
}

function listen<Type extends keyof WindowEventMap>(
  type: Type,
  listener: (event: WindowEventMap[Type]) => void,
): Stop {
  if (typeof window === 'undefined') return () => undefined
  window.addEventListener(type, listener)
  return () => window.removeEventListener(type, listener)
}

const NAMES = ['name', 'og:site_name', 'og:title', 'twitter:title']
const DESCRIPTIONS = ['description', 'og:description', 'twitter:description', 'keywords']

/** The page's metadata for the wallet (protocol 6): from its meta tags, title, origin and icons. */
export function pageMetadata(
  page: Pick<Document, 'querySelectorAll' | 'title'> | undefined,
  href: string,
): PeerMeta {
  const { origin } = new URL(href)
  if (page === undefined) return { name: '', description: '', url: origin, icons: [] }
  const metas = [...page.querySelectorAll('meta')]
  const metaContent = (names: readonly string[]) =>
    metas.find((meta) =>
      ['itemprop', 'property', 'name'].some((attribute) =>
        names.includes(meta.getAttribute(attribute) ?? ''),
      ),
    )?.content
  const icons = [...page.querySelectorAll('link')]
    .filter((link) => link.rel.toLowerCase().includes('icon') && link.hasAttribute('href'))
    .map((link) => link.href)
  return {
    name: metaContent(NAMES) || page.title,
    description: metaContent(DESCRIPTIONS) ?? '',
    url: origin,
    icons,
  }
}

const PHONES = /Android|webOS|iPhone|iPad|iPod|BlackBerry|IEMobile|Opera Mini/i

/** Whether this is a phone (protocol 14): by its user agent, a narrow screen, and touch. */
export function isMobileDevice(
  view: Pick<Window, 'matchMedia' | 'navigator'> & { readonly ontouchstart?: unknown },
): boolean {
  return (
    PHONES.test(view.navigator.userAgent) &&
    view.matchMedia('only screen and (max-width: 760px)').matches &&
    'ontouchstart' in view
  )
}
