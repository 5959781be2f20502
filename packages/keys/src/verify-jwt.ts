import { verify } from '#verify'
import { type Address, addressOf, decodeAddress } from './bech32-address.ts'
import { bytesOfBase64 } from './bytes.ts'
import { isCompressedKey } from './public-key.ts'
import { type JwtClaims, type ReadJwt, readJwt } from './read-jwt.ts'

/** Why a token is refused. */
export type JwtRefusal =
  | 'malformed'
  | 'algorithm'
  | 'type'
  | 'key'
  | 'signature'
  | 'issuer'
  | 'not-yet'
  | 'expired'
  | 'missing-addr'
  | 'address'
  | 'prefix'
  | 'group'

/** The requirements for a token besides its signature. */
export type VerifyJwtOptions = {
  /** Epoch seconds. */
  readonly now: number
  /** The accepted issuers; any by default. */
  readonly issuer?: string | readonly string[]
  /** The required address prefix, if only one network is accepted. */
  readonly prefix?: string
  /** How far the wallet's clock may be ahead. It does not extend the token's lifetime. */
  readonly leewayS?: number
}

/** The verified claims of a token; addresses are in lower case. */
export type VerifiedClaims = Omit<JwtClaims, 'addr' | 'grp'> & {
  readonly addr: Address
  readonly grp?: Address
}

/** The result of verification: the verified claims and the key, or the first reason to refuse the token. */
export type JwtVerdict =
  | { readonly ok: true; readonly claims: VerifiedClaims; readonly publicKey: Uint8Array }
  | { readonly ok: false; readonly reason: JwtRefusal }

const LEEWAY_S = 60

/**
 * Verifies an identity token: its signature by the public key in it, its times and issuer, and that its address is
 * derived from that key. Without the last check, anyone could claim any address with their own key.
 */
export function verifyJwt(token: string, options: VerifyJwtOptions): JwtVerdict {
  const read = readJwt(token)
  if (read === undefined) return refuse('malformed')
  // The token must not choose the algorithm: this refuses 'none' and shared secrets.
  if (read.header.alg !== 'ES256K') return refuse('algorithm')
  if ((read.header.typ ?? 'JWT').toUpperCase() !== 'JWT') return refuse('type')
  const publicKey = bytesOfBase64(read.claims.sub ?? '')
  if (publicKey === undefined || !isCompressedKey(publicKey)) return refuse('key')
  // Verified before any claim is checked, so that a forged token reveals nothing else.
  const signed = new TextEncoder().encode(read.unsigned)
  if (!verify(publicKey, signed, read.signature)) return refuse('signature')
  return verifyClaims(read.claims, publicKey, options)
}

function verifyClaims(
  claims: ReadJwt['claims'],
  publicKey: Uint8Array,
  { now, issuer, prefix, leewayS = LEEWAY_S }: VerifyJwtOptions,
): JwtVerdict {
  const { sub, iss, iat, exp, nbf } = claims
  if (sub === undefined || iat === undefined || exp === undefined) return refuse('malformed')
  if (iss === undefined || !mayIssue(iss, issuer)) return refuse('issuer')
  // Written so that a clock of NaN refuses every token.
  if (!(Math.max(iat, nbf ?? iat) <= now + leewayS)) return refuse('not-yet')
  if (!(exp > now)) return refuse('expired')
  if (claims.addr === undefined || claims.addr === '') return refuse('missing-addr')

  const decoded = decodeAddress(claims.addr)
  if (decoded === undefined) return refuse('address')
  const addr = addressOf(publicKey, decoded.prefix)
  if (addr !== claims.addr.toLowerCase()) return refuse('address')
  if (prefix !== undefined && decoded.prefix !== prefix) return refuse('prefix')

  const { origin } = claims
  const verified = { sub, iss, iat, exp, addr, ...(origin === undefined ? {} : { origin }) }
  if (claims.grp === undefined) return { ok: true, claims: verified, publicKey }
  const group = decodeAddress(claims.grp)
  if (group?.prefix !== decoded.prefix) return refuse('group')
  // Decoded above.
  const grp = claims.grp.toLowerCase() as Address
  return { ok: true, claims: { ...verified, grp }, publicKey }
}

function mayIssue(iss: string, issuer: VerifyJwtOptions['issuer']): boolean {
  return issuer === undefined || [issuer].flat().includes(iss)
}

function refuse(reason: JwtRefusal): JwtVerdict {
  return { ok: false, reason }
}
