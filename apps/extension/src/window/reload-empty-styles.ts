const ATTEMPTS = 5
const RETRY_MS = 200

/**
 * In Firefox, the style sheet of a window that opens during an update of the extension may arrive empty. It is then loaded again, from
 * a URL that differs, because the empty one is kept.
 */
export function reloadEmptyStyles(link: HTMLLinkElement, attempt = 1): void {
  if (link.sheet?.cssRules.length !== 0 || attempt > ATTEMPTS) return
  const again = () => setTimeout(() => reloadEmptyStyles(link, attempt + 1), RETRY_MS)
  link.addEventListener('load', again, { once: true })
  const url = new URL(link.href)
  url.search = `${attempt}`
  link.href = url.href
}
