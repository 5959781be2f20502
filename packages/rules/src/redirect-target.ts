import { DEFAULT_REDIRECT, ROUTER_BASE } from '@portico/contracts/limits'

/** Stands for the page's own origin, which no redirect target may leave. */
const OWN_ORIGIN = 'https://own.invalid'

/** Pages that would redirect a signed-in user in a loop, or log them out. */
const CIRCULAR = new RegExp(`^${ROUTER_BASE}(?:/(?:login|register|logout)(?:/.*)?)?/?$`)

const MAX_LENGTH = 2048

/** URL parsers remove some of these wherever they occur. */
const CONTROL_CHARACTERS = /\p{Cc}/u

/** In a path, URL parsers drop these or turn them into slashes. In a query or fragment they have no meaning. */
const AMBIGUOUS_IN_PATH = /[\p{Cc}\s\\]/u

/**
 * Sanitizes a redirect target (§5): only paths of our own origin that start with `/` are accepted, in the form a
 * browser would request; anything else becomes `/dashboard`. Control characters, and in the path backslashes and
 * whitespace, are rejected before parsing because URL parsers drop them or turn them into slashes. In the path this also
 * applies to their percent-encoded form, because an upstream server may decode once more.
 */
export function redirectTarget(requested: string | null | undefined): string {
  if (requested == null || !isPlainPath(requested)) return DEFAULT_REDIRECT
  const url = parse(requested)
  if (
    url === undefined ||
    url.origin !== OWN_ORIGIN ||
    url.username !== '' ||
    url.password !== ''
  ) {
    return DEFAULT_REDIRECT
  }
  // Not assembled from its parts, which would lose an empty `?` or `#`.
  const target = url.href.slice(OWN_ORIGIN.length)
  // Removing dot segments, as in /.//host and /./%2fhost, may leave a path that the next parser reads as a host.
  return isPlainPath(target) && !CIRCULAR.test(url.pathname) ? target : DEFAULT_REDIRECT
}

/**
 * Adds the fragment that the browser kept. Servers never receive fragments, so the login page keeps it in its
 * own URL if `redirectUrl` has none.
 */
export function withFragment(
  target: string,
  { pathname, hash }: Pick<URL, 'pathname' | 'hash'>,
): string {
  const search = pathname === `${ROUTER_BASE}/login` && !target.includes('#')
  return search ? redirectTarget(`${target}${hash}`) : target
}

/**
 * The return target of a page that received a full URL (§2.2, the conversion): our own origin is stripped, and
 * the rest is an ordinary redirect target (§5). Other origins are never accepted.
 */
export function returnTarget(requested: string | null, origin: string): string {
  const own = requested?.startsWith(`${origin}/`) === true
  return redirectTarget(own ? requested.slice(origin.length) : requested)
}

/**
 * Where a wallet on the user's device returns the user after a decision: only an http or https URL with the origin that the
 * page claimed when it connected, so that a request can only lead back to its own page. Undefined means that the wallet
 * offers no way back.
 */
export function pageReturnUrl(requested: string, claimedUrl: string): string | undefined {
  const [url, claimed] = [URL.parse(requested), URL.parse(claimedUrl)]
  if (url === null || claimed === null || url.origin !== claimed.origin) return undefined
  // Other schemes, such as those of apps, have the opaque origin 'null', which would equal every other one.
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return undefined
  return isPlainPath(url.href.slice(url.origin.length)) ? url.href : undefined
}

function isPlainPath(text: string): boolean {
  if (text.length > MAX_LENGTH) return false
  const [path = ''] = text.split(/[?#]/, 1)
  return (
    path.startsWith('/') &&
    !CONTROL_CHARACTERS.test(text) &&
    !isAmbiguous(path) &&
    !isAmbiguous(percentDecode(path))
  )
}

function isAmbiguous(path: string | undefined): boolean {
  return path === undefined || AMBIGUOUS_IN_PATH.test(path) || path.startsWith('//')
}

/** The percent-decoded path; `undefined` if the encoding is malformed. */
function percentDecode(path: string): string | undefined {
  try {
    return decodeURIComponent(path).replaceAll(' ', '')
  } catch {
    // Parsers disagree about malformed percent-encoding.
    return undefined
  }
}

function parse(target: string): URL | undefined {
  return URL.canParse(target, OWN_ORIGIN) ? new URL(target, OWN_ORIGIN) : undefined
}
