import { useEffect } from 'react'

/**
 * Opens links to an application's own pages with `open`, without loading another document. The browser follows all other
 * links. Both functions must be stable.
 */
export function useInternalLinks(
  isOwnPage: (pathname: string) => boolean,
  open: (to: string) => void,
): void {
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = followedLink(event)
      if (link === undefined || !isOwnPage(link.pathname)) return
      event.preventDefault()
      open(`${link.pathname}${link.search}`)
    }
    document.addEventListener('click', follow)
    return () => document.removeEventListener('click', follow)
  }, [isOwnPage, open])
}

/** Returns the link that the browser would open in this tab, if the click is on one; by default only of the same origin. */
export function followedLink(
  event: MouseEvent,
  { origin = 'same' }: { readonly origin?: 'same' | 'any' } = {},
): HTMLAnchorElement | undefined {
  const { altKey, button, ctrlKey, defaultPrevented, metaKey, shiftKey, target } = event
  if (defaultPrevented || button !== 0 || altKey || ctrlKey || metaKey || shiftKey) return undefined
  const link = target instanceof Element ? target.closest('a') : null
  // The browser moves the focus for a link to a fragment, such as the skip link.
  if (link === null || link.target !== '' || link.href.includes('#')) return undefined
  if (link.hasAttribute('download') || !/^https?:$/.test(link.protocol)) return undefined
  if (origin === 'same' && link.origin !== window.location.origin) return undefined
  // A link to the current page reloads it, for example after a failure.
  return link.href === window.location.href ? undefined : link
}
