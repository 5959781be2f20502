/**
 * The connection URI (protocol 2), which a page shows as a QR code and a wallet scans. It contains the key that protects
 * the connection, so it is a secret until the wallet has responded. The page's connect options are further parameters of it
 * (protocol 8) and are sent nowhere else.
 */
import { bytesOfHex, hexOf } from '@portico/keys/bytes'

/** A page's requirements for the connection (protocol 8). */
export interface ConnectOptions {
  /** The wallet must connect with this account or fail. */
  readonly individualAddress?: string | undefined
  /** The wallet must act for this group policy. */
  readonly groupAddress?: string | undefined
  readonly prohibitGroups?: boolean | undefined
  /** Lifetime of the session token. */
  readonly jwtExpirationS?: number | undefined
  readonly connectionDurationS?: number | undefined
}

export interface ConnectionUri {
  readonly handshakeTopic: string
  /** The relay's address; http, https, ws or wss. */
  readonly bridge: string
  /** 32 bytes. */
  readonly key: Uint8Array
  readonly options: ConnectOptions
}

const KEY_BYTES = 32
const FORM = /^wc:(?:\/\/)?([^@?#\s]+)@1\?([^#\s]+)$/

/** Formats a connection URI, parameters in the order of protocol 8. */
export function formatUri({ handshakeTopic, bridge, key, options }: ConnectionUri): string {
  const parameters = [
    ['individualAddress', options.individualAddress],
    ['groupAddress', options.groupAddress],
    ['prohibitGroups', options.prohibitGroups === true ? 'true' : undefined],
    ['jwtExpiration', options.jwtExpirationS],
    ['connectionDuration', options.connectionDurationS],
  ] as const
  // Valid addresses and numbers need no encoding; it keeps invalid values from injecting parameters.
  const tail = parameters.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`&${name}=${encodeURIComponent(value)}`],
  )
  return `wc:${handshakeTopic}@1?bridge=${encodeURIComponent(bridge)}&key=${hexOf(key)}${tail.join('')}`
}

/**
 * Parses a connection URI strictly: version 1, a topic, a relay URL and a 32-byte key. Parameters may come in any
 * order, the first of a name counts, and unknown parameters and invalid option values are ignored.
 */
export function parseUri(text: string): ConnectionUri | undefined {
  const [, handshakeTopic, query] = FORM.exec(text) ?? []
  if (handshakeTopic === undefined || query === undefined) return undefined
  const parameters = new URLSearchParams(query)
  const bridge = parameters.get('bridge') ?? ''
  const key = bytesOfHex(parameters.get('key') ?? '')
  if (!isRelayAddress(bridge) || key?.length !== KEY_BYTES) return undefined
  return { handshakeTopic, bridge, key, options: optionsIn(parameters) }
}

function optionsIn(parameters: URLSearchParams): ConnectOptions {
  return {
    individualAddress: parameters.get('individualAddress') || undefined,
    groupAddress: parameters.get('groupAddress') || undefined,
    prohibitGroups: parameters.get('prohibitGroups') === 'true',
    jwtExpirationS: secondsIn(parameters.get('jwtExpiration')),
    connectionDurationS: secondsIn(parameters.get('connectionDuration')),
  }
}

function secondsIn(text: string | null): number | undefined {
  const seconds = /^\d+$/.test(text ?? '') ? Number(text) : 0
  return seconds > 0 && Number.isSafeInteger(seconds) ? seconds : undefined
}

function isRelayAddress(text: string): boolean {
  const scheme = URL.canParse(text) ? new URL(text).protocol : ''
  return ['http:', 'https:', 'ws:', 'wss:'].includes(scheme)
}

// Links nest: a dynamic link contains a connect link, which contains the URI encoded three times.
const MAX_WRAPPINGS = 12

// Query parameters that carry a URI: `data` and `link` in mobile links, `wc` for the extension and hosted wallet.
const URI_PARAMETERS = ['data', 'link', 'wc', 'uri']

/**
 * Extracts a connection URI (protocol 2, 14) that may be encoded any number of times, in a
 * link, or in a link within a link. Returns the text that begins with `wc:`, which still has to be parsed. The case of a
 * scheme has no meaning (RFC 3986 3.1), and keyboards capitalize the first letter.
 */
export function unwrapUri(text: string): string | undefined {
  let current = text.trim()
  for (let wrapping = 0; wrapping < MAX_WRAPPINGS; wrapping += 1) {
    if (/^wc:/i.test(current)) return `wc:${current.slice('wc:'.length)}`
    const inner = linkParameter(current) ?? decoded(current)
    if (inner === undefined || inner === current) return undefined
    current = inner.trim()
  }
  return undefined
}

function linkParameter(text: string): string | undefined {
  // In a link without encoding, the URI's own parameters look like the link's, so take everything that follows.
  const plain = /[?&](?:data|link|wc|uri)=(wc:.*)$/i.exec(text)?.[1]
  if (plain !== undefined) return plain
  if (!URL.canParse(text)) return undefined
  const { searchParams } = new URL(text)
  return (
    URI_PARAMETERS.map((name) => searchParams.get(name)).find(
      (value) => value !== null && value !== '',
    ) ?? undefined
  )
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    // A stray percent sign: not a percent-encoded URI.
    return undefined
  }
}
