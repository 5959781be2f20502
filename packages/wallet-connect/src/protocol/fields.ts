import { parseJson } from '@portico/contracts/parse-json'

/** The fields of an untrusted value; an empty object if it is not an object. */
export function fieldsIn(value: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Record<string, unknown>) : {}
}

/** The fields of a JSON text; an empty object if it is not a JSON object. */
export function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  return fieldsIn(parsedJson(text))
}

// No protocol message nests this deeply. `JSON.parse` accepts deeper values, but `JSON.stringify` overflows the stack on them.
const MAX_DEPTH = 100

/** Parses JSON; `undefined` (not a JSON value) if the text is invalid or nested too deeply. */
export function parsedJson(text: string): unknown {
  const value = parseJson(text)
  return isDeeperThan(value, MAX_DEPTH) ? undefined : value
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((each) => isDeeperThan(each, levels - 1))
}

/** A non-empty string, or `undefined`. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

// Following one of these would run a script or show a forged page in the wallet's origin.
const UNSAFE_SCHEMES = [
  'javascript:',
  'data:',
  'blob:',
  'file:',
  'filesystem:',
  'vbscript:',
  'about:',
]

const MAX_URL_LENGTH = 8192

/** Where the user goes after the wallet has responded: a web URL or an app's custom scheme. */
export function redirectUrlIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_URL_LENGTH) return undefined
  if (!URL.canParse(value)) return undefined
  const { protocol, href } = new URL(value)
  return UNSAFE_SCHEMES.includes(protocol) ? undefined : href
}
