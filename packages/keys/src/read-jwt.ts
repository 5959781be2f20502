import { bytesOfBase64, bytesOfBase64url, utf8TextOf } from './bytes.ts'
import { parseJsonObject } from './json-object.ts'

/** A JWT in compact form. */
export type Jwt = string & { readonly [brand]: 'Jwt' }

declare const brand: unique symbol

/** The claims of an identity token (§3); times in epoch seconds. */
export type JwtClaims = {
  readonly sub: string
  readonly iss: string
  readonly iat: number
  readonly exp: number
  readonly addr: string
  readonly grp?: string
  /** The origin of the page that the token was made for (protocol 11). */
  readonly origin?: string
}

/** A decoded token, not verified. */
export type ReadJwt = {
  readonly header: { readonly alg: string; readonly typ?: string }
  readonly claims: Partial<JwtClaims> & { readonly nbf?: number }
  /** Whether the token names an audience, so that it was issued for one site. */
  readonly hasAudience: boolean
  /** The signed part: header and payload. */
  readonly unsigned: string
  readonly signature: Uint8Array
}

// Far longer than our tokens, but short enough that untrusted ones are cheap to decode.
const MAX_LENGTH = 16_384

const TEXTS = ['sub', 'iss', 'addr', 'grp', 'origin'] as const
const TIMES = ['iat', 'exp', 'nbf'] as const

/** Decodes a token without verifying it; `undefined` if it is malformed. */
export function readJwt(token: string): ReadJwt | undefined {
  if (typeof token !== 'string' || token.length > MAX_LENGTH) return undefined
  const [first, second, third, ...more] = token.split('.')
  if (!first || !second || third === undefined || more.length > 0) return undefined
  const header = headerOf(jsonOf(bytesOfBase64url(first)))
  const payload = jsonOf(bytesOfBase64url(second))
  const claims = claimsOf(payload)
  const signature = bytesOfBase64url(third)
  if (!header || !payload || !claims || !signature) return undefined
  const unsigned = `${first}.${second}`
  return { header, claims, hasAudience: 'aud' in payload, unsigned, signature }
}

/** Decodes only the payload, in base64 that may be padded, of a token with or without its stored prefix. */
export function readPayload(token: string): Readonly<Record<string, unknown>> | undefined {
  const [, payload = ''] = token.split('.')
  return jsonOf(bytesOfBase64(payload))
}

function jsonOf(bytes: Uint8Array | undefined): Readonly<Record<string, unknown>> | undefined {
  const text = bytes && utf8TextOf(bytes)
  return text === undefined ? undefined : parseJsonObject(text)
}

/** Tokens with critical extensions must be refused, because we support none (RFC 7515, 4.1.11). */
function headerOf(
  json: Readonly<Record<string, unknown>> | undefined,
): ReadJwt['header'] | undefined {
  if (json === undefined || 'crit' in json) return undefined
  const { alg, typ } = json
  if (typeof alg !== 'string') return undefined
  if (typ === undefined) return { alg }
  return typeof typ === 'string' ? { alg, typ } : undefined
}

function claimsOf(
  json: Readonly<Record<string, unknown>> | undefined,
): ReadJwt['claims'] | undefined {
  if (json === undefined) return undefined
  const claims: Record<string, unknown> = {}
  for (const name of TEXTS) {
    // Wallets that act for no group may write `grp` as null.
    if (json[name] == null) continue
    if (typeof json[name] !== 'string') return undefined
    claims[name] = json[name]
  }
  for (const name of TIMES) {
    if (json[name] == null) continue
    if (!Number.isFinite(json[name])) return undefined
    claims[name] = json[name]
  }
  // The type of each present claim was checked above.
  return claims
}
