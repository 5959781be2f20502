/** The query parameters that carry a connection code: `data` in short links, `link` in dynamic links (protocol 14). */
const CODE_PARAMETERS = ['data', 'link']

/**
 * The connection code that the page was opened with, in any encoding. It is a secret, so it is removed from the address bar
 * and the history, and kept for this visit only.
 */
export function takeArrivalCode({
  location,
  history,
}: Pick<Window, 'location' | 'history'>): string | undefined {
  const { href, pathname, searchParams } = new URL(location.href)
  if (!CODE_PARAMETERS.some((name) => searchParams.has(name))) return undefined
  history.replaceState(null, '', pathname)
  return href
}
