/**
 * The connection URI (protocol 2): what a page shows as a QR code and a wallet reads. It carries the key that protects
 * everything, so it is a secret until the wallet has answered. The page's wishes travel in it as further parameters
 * (protocol 8) and nowhere else.
 */
import { bytesOfHex, hexOf } from '@portico/keys/bytes'

/** What a page asks of the wallet before it connects (protocol 8). */
export interface ConnectOptions {
  /** The wallet must offer this account or fail. */
  readonly individualAddress?: string | undefined
  /** The wallet must act for this group policy. */
  readonly groupAddress?: string | undefined
  readonly prohibitGroups?: boolean | undefined
  /** Life of the session token. */
  readonly jwtExpirationS?: number | undefined
  readonly connectionDurationS?: number | undefined
}

/** A connection URI, read. */
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

/** Writes a connection URI, parameters in the order of protocol 8. */
export function formatUri({ handshakeTopic, bridge, key, options }: ConnectionUri): string {
  const wishes = [
    ['individualAddress', options.individualAddress],
    ['groupAddress', options.groupAddress],
    ['prohibitGroups', options.prohibitGroups === true ? 'true' : undefined],
    ['jwtExpiration', options.jwtExpirationS],
    ['connectionDuration', options.connectionDurationS],
  ] as const
  // Addresses and numbers are their own encoding; what is neither must not smuggle in parameters.
  const tail = wishes.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`&${name}=${encodeURIComponent(value)}`],
  )
  return `wc:${handshakeTopic}@1?bridge=${encodeURIComponent(bridge)}&key=${hexOf(key)}${tail.join('')}`
}

/**
 * Reads a connection URI, strictly: version 1, a topic, a relay's address and a key of 32 bytes. Parameters come in any
 * order, the first of a name counts, unknown ones are ignored, and so are wishes that make no sense.
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
