import { DEFAULT_REDIRECT, ROUTER_BASE } from '@portico/contracts/limits'

/** Stands for the page's own origin, which no redirect target may leave. */
const OWN_ORIGIN = 'https://own.invalid'

/** Pages that would send a signed-in person round in a circle, or out again. */
const CIRCULAR = new RegExp(`^${ROUTER_BASE}(?:/(?:login|register|logout)(?:/.*)?)?/?$`)

const LENGTH_MAXIMUM = 2048

/** URL parsers drop some of these wherever they occur. */
const CONTROL_CHARACTERS = /\p{Cc}/u

/** In a path, URL parsers drop these or turn them into slashes. In a query or fragment they have no meaning. */
const AMBIGUOUS_IN_PATH = /[\p{Cc}\s\\]/u

/**
 * The place a person is sent to (§5): only paths of our own origin that start with `/` are honored, in the form a
 * browser would really request; anything else is `/dashboard`. Control characters, and in the path backslashes and
 * whitespace, are refused before parsing because URL parsers drop them or turn them into slashes. In the path this also
 * applies to their percent-encoded form, because a server behind us may decode once more.
 */
export function redirectTarget(wanted: string | null | undefined): string {
  if (wanted == null || !isPlainPath(wanted)) return DEFAULT_REDIRECT
  const url = parse(wanted)
  if (
    url === undefined ||
    url.origin !== OWN_ORIGIN ||
    url.username !== '' ||
    url.password !== ''
  ) {
    return DEFAULT_REDIRECT
  }
  // Not from its parts, which lack a `?` or `#` that nothing follows.
  const target = url.href.slice(OWN_ORIGIN.length)
  // Behind dot segments, as in /.//host and /./%2fhost, may stand what would be read as a host the next time.
  return isPlainPath(target) && !CIRCULAR.test(url.pathname) ? target : DEFAULT_REDIRECT
}

/**
 * The target with the fragment that the browser kept. A server never sees a fragment, so the login page carries it in its
 * own address while `redirectUrl` has none.
 */
export function withFragment(
  target: string,
  { pathname, hash }: Pick<URL, 'pathname' | 'hash'>,
): string {
  const kept = pathname === `${ROUTER_BASE}/login` && !target.includes('#')
  return kept ? redirectTarget(`${target}${hash}`) : target
}

function isPlainPath(text: string): boolean {
  if (text.length > LENGTH_MAXIMUM) return false
  const [path = ''] = text.split(/[?#]/, 1)
  return (
    path.startsWith('/') &&
    !CONTROL_CHARACTERS.test(text) &&
    !isAmbiguous(path) &&
    !isAmbiguous(decoded(path))
  )
}

function isAmbiguous(path: string | undefined): boolean {
  return path === undefined || AMBIGUOUS_IN_PATH.test(path) || path.startsWith('//')
}

/** The path without its percent-encoding; nothing where that is malformed. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path).replaceAll(' ', '')
  } catch {
    // Malformed percent-encoding has no meaning that two parsers agree on.
    return undefined
  }
}

function parse(target: string): URL | undefined {
  return URL.canParse(target, OWN_ORIGIN) ? new URL(target, OWN_ORIGIN) : undefined
}
