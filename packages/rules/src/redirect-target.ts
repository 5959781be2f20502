import { DEFAULT_REDIRECT, ROUTER_BASE } from '@portico/contracts/limits'

/** Stands for the page's own origin, which no redirect target may leave. */
const OWN_ORIGIN = 'https://own.invalid'

/** Pages that would send a signed-in person round in a circle, or out again. */
const CIRCULAR = new RegExp(`^${ROUTER_BASE}(?:/(?:login|register|logout)(?:/.*)?)?/?$`)

/** What URL parsers drop, or turn into slashes. */
const DEVIOUS = /[\p{Cc}\s\\]/u

/**
 * The place a person is sent to (§5): only paths of our own origin that start with `/` are honoured, in the form a
 * browser would really request; anything else is `/dashboard`. Refused before parsing: control characters and
 * backslashes, which URL parsers drop or turn into slashes, also where they are percent-encoded, because some server
 * behind us may decode once more.
 */
export function redirectTarget(wanted: string | null | undefined): string {
  if (wanted == null || !wanted.startsWith('/') || wanted.length > 2048) return DEFAULT_REDIRECT
  if (isDevious(wanted) || isDevious(decodedPath(wanted))) return DEFAULT_REDIRECT
  const url = parse(wanted)
  if (
    url === undefined ||
    url.origin !== OWN_ORIGIN ||
    url.username !== '' ||
    url.password !== ''
  ) {
    return DEFAULT_REDIRECT
  }
  const target = `${url.pathname}${url.search}${url.hash}`
  // Dot segments may leave a path such as /.//host, which would be read as a host the next time.
  return target.startsWith('//') || CIRCULAR.test(url.pathname) ? DEFAULT_REDIRECT : target
}

function isDevious(text: string | undefined): boolean {
  return text === undefined || DEVIOUS.test(text) || text.startsWith('//')
}

/** The path without its percent-encoding; nothing where that is malformed. Query and fragment may hold anything. */
function decodedPath(target: string): string | undefined {
  const [path = ''] = target.split(/[?#]/, 1)
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
