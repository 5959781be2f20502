/**
 * Masks URLs and properties for telemetry (§3, §7.8). Only values that cannot identify a user pass: known parameters
 * with an ordinary word as value, path segments that are words, the origin of another site. Everything else, in
 * particular addresses, codes, tokens and names of any kind, is masked or omitted. Client and server apply the same
 * masking, so data from a third-party client is stored in the same form. Masking is idempotent.
 */

/** Replaces masked values. */
export const MASK = '*'

/** Parameters with values that pass if they are ordinary words. */
const PASSED = new Set([
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

/** Parameters that identify users, grant access or contain URLs: only their presence is recorded. */
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

/** Words joined by `-`, `_` or `.`, each optionally with a short number: `new-user`, `spring.2026`. */
const ORDINARY = /^[a-z]{0,16}\d{0,4}(?:[-_.][a-z]{0,16}\d{0,4}){0,5}$/i
/** Years pass. Phone numbers, codes and identifying numbers have more digits, however they are formatted. */
const MAX_DIGITS = 4
/** A static path segment: `select-account`. */
const WORDS = /^[a-z]{1,20}(?:-[a-z]{1,20}){0,5}$/
/** A property name. */
const PROPERTY = /^[a-z][a-z_]{0,31}$/i
const MAX_PATH_LENGTH = 512

/** Masks query parameters; unknown parameters are omitted entirely. */
export function maskedParams(
  params: Iterable<readonly [string, string]>,
): Readonly<Record<string, string>> {
  const masked: Record<string, string> = {}
  for (const [name, value] of params) {
    if (PASSED.has(name)) masked[name] = maskedWord(value)
    else if (MASKED.has(name)) masked[name] = MASK
  }
  return masked
}

/** Masks all path segments that are not plain words. */
export function maskedPath(path: string): string {
  const [withoutQuery = ''] = path.split(/[?#]/, 1)
  const masked = withoutQuery
    .split('/')
    .map((part) => (part === '' || WORDS.test(part) ? part : MASK))
    .join('/')
  if (masked.length <= MAX_PATH_LENGTH) return masked
  // Cut at a segment boundary: a partial segment might be masked the second time.
  return masked.slice(0, masked.lastIndexOf('/', MAX_PATH_LENGTH))
}

/** Masks a referrer: the masked path for our own pages, the origin for other sites, otherwise empty. */
export function maskedReferrer(referrer: string, ownOrigin: string): string {
  const url = URL.canParse(referrer) ? new URL(referrer) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return ''
  return url.origin === ownOrigin ? `${url.origin}${maskedPath(url.pathname)}` : url.origin
}

/** Masks the properties of an event: numbers, booleans and ordinary words pass. */
export function maskedProperties(
  properties: Readonly<Record<string, string | number | boolean>>,
): Readonly<Record<string, string | number | boolean>> {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => PROPERTY.test(name))
      .map(([name, value]) => [name, typeof value === 'string' ? maskedWord(value) : value]),
  )
}

/** The word if it is ordinary, otherwise the mask. */
export function maskedWord(word: string): string {
  return ORDINARY.test(word) && word.replace(/\D/g, '').length <= MAX_DIGITS ? word : MASK
}
