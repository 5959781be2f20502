import { verify } from '#verify'
import { type Address, addressOf, decodeAddress } from './address.ts'
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

/** What is asked of a token besides its signature. */
export type VerifyJwtOptions = {
  /** Epoch seconds. */
  readonly now: number
  /** Who may have issued it; whoever, where nothing is said. */
  readonly issuer?: string | readonly string[]
  /** How its addresses must begin, where only one network will do. */
  readonly prefix?: string
  /** By how much the clock of a wallet may be ahead of ours; the life of a token never grows by it. */
  readonly leewayS?: number
}

/** A token's claims once they are proven; addresses are in lower case. */
export type VerifiedClaims = Omit<JwtClaims, 'addr' | 'grp'> & {
  readonly addr: Address
  readonly grp?: Address
}

/** The outcome: the proven claims and the key they were signed with, or the first reason that speaks against them. */
export type JwtVerdict =
  | { readonly ok: true; readonly claims: VerifiedClaims; readonly publicKey: Uint8Array }
  | { readonly ok: false; readonly reason: JwtRefusal }

const LEEWAY_S = 60

/**
 * Verifies an identity token: the signature by the key it names, its times and issuer, and that its address is the one
 * derived from that key. Without the last anyone could claim any address with a key of their own.
 */
export function verifyJwt(token: string, options: VerifyJwtOptions): JwtVerdict {
  const read = readJwt(token)
  if (read === undefined) return refused('malformed')
  // The key decides how a signature is checked, never the token: 'none' and shared secrets end here.
  if (read.header.alg !== 'ES256K') return refused('algorithm')
  if ((read.header.typ ?? 'JWT').toUpperCase() !== 'JWT') return refused('type')
  const publicKey = bytesOfBase64(read.claims.sub ?? '')
  if (publicKey === undefined || !isCompressedKey(publicKey)) return refused('key')
  // Before any claim is looked at, so that a forged token is told nothing else.
  const signed = new TextEncoder().encode(read.unsigned)
  if (!verify(publicKey, signed, read.signature)) return refused('signature')
  return judged(read.claims, publicKey, options)
}

function judged(
  claims: ReadJwt['claims'],
  publicKey: Uint8Array,
  { now, issuer, prefix, leewayS = LEEWAY_S }: VerifyJwtOptions,
): JwtVerdict {
  const { sub, iss, iat, exp, nbf } = claims
  if (sub === undefined || iat === undefined || exp === undefined) return refused('malformed')
  if (iss === undefined || !mayIssue(iss, issuer)) return refused('issuer')
  // Asked so that a clock which is no number lets nothing pass.
  if (!(Math.max(iat, nbf ?? iat) <= now + leewayS)) return refused('not-yet')
  if (!(exp > now)) return refused('expired')
  if (claims.addr === undefined || claims.addr === '') return refused('missing-addr')

  const decoded = decodeAddress(claims.addr)
  if (decoded === undefined) return refused('address')
  const addr = addressOf(publicKey, decoded.prefix)
  if (addr !== claims.addr.toLowerCase()) return refused('address')
  if (prefix !== undefined && decoded.prefix !== prefix) return refused('prefix')

  const proven = { sub, iss, iat, exp, addr }
  if (claims.grp === undefined) return { ok: true, claims: proven, publicKey }
  const group = decodeAddress(claims.grp)
  if (group?.prefix !== decoded.prefix) return refused('group')
  // It was decoded just now.
  const grp = claims.grp.toLowerCase() as Address
  return { ok: true, claims: { ...proven, grp }, publicKey }
}

function mayIssue(iss: string, issuer: VerifyJwtOptions['issuer']): boolean {
  return issuer === undefined || [issuer].flat().includes(iss)
}

function refused(reason: JwtRefusal): JwtVerdict {
  return { ok: false, reason }
}
