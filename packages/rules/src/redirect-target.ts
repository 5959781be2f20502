import { DEFAULT_REDIRECT, ROUTER_BASE } from '@portico/contracts/limits'

/** Stands for the page's own origin, which no redirect target may leave. */
const OWN_ORIGIN = 'https://own.invalid'

/** Pages that would send a signed-in person round in a circle, or out again. */
const CIRCULAR = new RegExp(`^${ROUTER_BASE}(?:/(?:login|register|logout)(?:/.*)?)?/?$`)

const LENGTH_MAXIMUM = 2048

/** What URL parsers drop, or turn into slashes. */
const DEVIOUS = /[\p{Cc}\s\\]/u

/**
 * The place a person is sent to (§5): only paths of our own origin that start with `/` are honoured, in the form a
 * browser would really request; anything else is `/dashboard`. Refused before parsing: control characters and
 * backslashes, which URL parsers drop or turn into slashes, also where they are percent-encoded, because some server
 * behind us may decode once more.
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
  const target = `${url.pathname}${url.search}${url.hash}`
  // Behind dot segments, as in /.//host and /./%2fhost, may stand what would be read as a host the next time.
  return isPlainPath(target) && !CIRCULAR.test(url.pathname) ? target : DEFAULT_REDIRECT
}

function isPlainPath(text: string): boolean {
  return (
    text.startsWith('/') &&
    text.length <= LENGTH_MAXIMUM &&
    !isDevious(text) &&
    !isDevious(decodedPath(text))
  )
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
