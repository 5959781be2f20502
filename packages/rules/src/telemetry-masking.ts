/**
 * What telemetry may tell of an address (§3, §7.8). Only what is known to be about nobody is passed on: named parameters
 * whose value is an ordinary word, path segments that are words, the origin of another site. Everything else, above all
 * addresses, codes, tokens and names of any kind, is masked or left out. Client and server do the same, so that what a
 * client of another make sends is stored no other way; masking twice changes nothing.
 */

/** Stands where something was masked. */
export const MASK = '*'

/** Parameters whose value may be told where it is an ordinary word. */
const TOLD = new Set([
  'flow',
  'label',
  'orgCode',
  'referrer',
  'step',
  'utm_campaign',
  'utm_medium',
  'utm_source',
  'walletconnect',
])

/** Parameters that are known to name people, open doors or carry other addresses: only that they were there is told. */
const MASKED = new Set([
  'code',
  'email',
  'identityUuid',
  'jwt',
  'loginUuid',
  'otp',
  'redirectUrl',
  'state',
  'token',
])

/** Words joined by `-`, `_` or `.`, each with a short number at most: `new-user`, `spring.2026`. */
const ORDINARY = /^[a-z]{0,16}\d{0,4}(?:[-_.][a-z]{0,16}\d{0,4}){0,5}$/i
/** A year is told; a phone number, a code or a number that names somebody has more digits, however it is written. */
const DIGITS_MAXIMUM = 4
/** A part of a path that its author wrote: `select-account`. */
const WORDS = /^[a-z]{1,20}(?:-[a-z]{1,20}){0,5}$/
/** A property's name, as code writes it. */
const PROPERTY = /^[a-z][a-z_]{0,31}$/i
const PATH_LENGTH_MAXIMUM = 512

/** The parameters of a query that may be sent on; a parameter that nobody knows is left out, name and value. */
export function maskedParams(
  params: Iterable<readonly [string, string]>,
): Readonly<Record<string, string>> {
  const masked: Record<string, string> = {}
  for (const [name, value] of params) {
    if (TOLD.has(name)) masked[name] = maskedWord(value)
    else if (MASKED.has(name)) masked[name] = MASK
  }
  return masked
}

/** A path in which every part is masked that is no plain words. */
export function maskedPath(path: string): string {
  const [bare = ''] = path.split(/[?#]/, 1)
  const masked = bare
    .split('/')
    .map((part) => (part === '' || WORDS.test(part) ? part : MASK))
    .join('/')
  if (masked.length <= PATH_LENGTH_MAXIMUM) return masked
  // Whole parts only: half of one may be no word any more, and would be masked the second time.
  return masked.slice(0, masked.lastIndexOf('/', PATH_LENGTH_MAXIMUM))
}

/** Where somebody came from: of our own pages the masked path, of others the origin, of anything else nothing. */
export function maskedReferrer(referrer: string, ownOrigin: string): string {
  const url = URL.canParse(referrer) ? new URL(referrer) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return ''
  return url.origin === ownOrigin ? `${url.origin}${maskedPath(url.pathname)}` : url.origin
}

/** What an event tells beside its name: numbers, decisions and ordinary words. */
export function maskedProperties(
  properties: Readonly<Record<string, string | number | boolean>>,
): Readonly<Record<string, string | number | boolean>> {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => PROPERTY.test(name))
      .map(([name, value]) => [name, typeof value === 'string' ? maskedWord(value) : value]),
  )
}

/** A word that says nothing about anybody, or the mask. */
export function maskedWord(word: string): string {
  return ORDINARY.test(word) && word.replace(/\D/g, '').length <= DIGITS_MAXIMUM ? word : MASK
}
