import type { PageData } from '@portico/contracts/page-data'
import type { Here } from '@portico/rules/wallet-redirects'
import { useEffect, useEffectEvent, useRef } from 'react'
import { navigate, usePathname, useSearch } from 'wouter/use-browser-location'
import { useEnvironment } from './environment.ts'
import { documentTitle, routeOf } from './routes.ts'

/** The current path and query, which change without loading another document. */
export function useHere(page: PageData): Here {
  const path = usePathname({ ssrPath: page.path })
  const query = useSearch({ ssrSearch: page.query }).replace(/^\?/, '')
  return { path, query }
}

/** Follows links between the portal's pages without loading another document. All other links are the browser's. */
export function useInternalLinks(): void {
  useEffect(() => {
    document.addEventListener('click', followInternalLink)
    return () => document.removeEventListener('click', followInternalLink)
  }, [])
}

function followInternalLink(event: MouseEvent): void {
  const { altKey, button, ctrlKey, defaultPrevented, metaKey, shiftKey, target } = event
  if (defaultPrevented || button !== 0 || altKey || ctrlKey || metaKey || shiftKey) return
  const link = target instanceof Element ? target.closest('a') : null
  // A link within the page, such as the skip link, only moves the focus.
  if (link === null || link.target !== '' || link.getAttribute('href')?.startsWith('#')) return
  // A link to the current page loads it again, also if it failed.
  if (link.origin !== window.location.origin || link.href === window.location.href) return
  if (routeOf(link.pathname) === undefined) return
  event.preventDefault()
  openPage(`${link.pathname}${link.search}`)
}

/** Shows another page of the portal without loading another document. */
export function openPage(to: string): void {
  navigate(to)
  window.scrollTo(0, 0)
}

/** Records the page view (§2.1). After a change of the page, also sets the title and focuses the new heading. */
export function usePageView(path: string, company: string): void {
  const { telemetry } = useEnvironment()
  const viewed = useRef<string>(undefined)
  const setTitle = useEffectEvent(() => {
    document.title = documentTitle(path, company)
  })
  useEffect(() => {
    // Strict Mode mounts twice.
    if (path === viewed.current) return
    const isFirst = viewed.current === undefined
    viewed.current = path
    telemetry.pageViewed(path)
    if (isFirst) return
    setTitle()
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }, [path, telemetry])
}
