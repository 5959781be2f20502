import type { PageData } from '@portico/contracts/page-data'
import type { Here } from '@portico/rules/wallet-redirects'
import { useEffect, useEffectEvent, useRef } from 'react'
import { navigate, usePathname, useSearch } from 'wouter/use-browser-location'
import { useEnvironment } from './environment.ts'
import { documentTitle, routeOf } from './routes.ts'

/** The current path and query, which change without loading a new document. */
export function useCurrentPath(page: PageData): Here {
  const path = usePathname({ ssrPath: page.path })
  const query = useSearch({ ssrSearch: page.query }).replace(/^\?/, '')
  return { path, query }
}

/** The number of forms on this page that lose something if it is left. */
let unsavedForms = 0

/**
 * Whether a link changes the page in place. Not while something is unsaved, because browsers warn only when a document is
 * unloaded.
 */
export const opensInPlace = (path: string): boolean =>
  unsavedForms === 0 && routeOf(path) !== undefined

/** Makes links, Back and Forward load a document while something is unsaved, so that the browser can warn. */
export function useDocumentNavigation(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return
    unsavedForms += 1
    const stop = leaveDocumentOnBack()
    return () => {
      unsavedForms -= 1
      stop()
    }
  }, [isUnsaved])
}

/** Makes Back and Forward load a document, so that the browser asks. Browsers without the Navigation API do not. */
function leaveDocumentOnBack(): () => void {
  const { navigation } = window as Partial<Window>
  const leave = (event: NavigateEvent) => {
    const { navigationType, cancelable, destination } = event
    if (navigationType !== 'traverse' || !cancelable || !destination.sameDocument) return
    event.preventDefault()
    window.location.assign(destination.url)
  }
  navigation?.addEventListener('navigate', leave)
  return () => navigation?.removeEventListener('navigate', leave)
}

/** Navigates to another page of the portal without loading a new document. */
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
