import { base64Of, base64urlOf } from './bytes.ts'
import type { Jwt, JwtClaims } from './read-jwt.ts'
import { publicKeyOf, sign } from './signing.ts'

const HEADER = { alg: 'ES256K', typ: 'JWT' }

const encoder = new TextEncoder()

/**
 * Signs an identity token (ES256K, RFC 8812). The default subject is the public key in standard base64,
 * as in wallets.
 */
export function signJwt(
  privateKey: Uint8Array,
  claims: Omit<JwtClaims, 'sub'> & { readonly sub?: string },
): Jwt {
  const sub = claims.sub ?? base64Of(publicKeyOf(privateKey))
  const unsigned = unsignedJwt({ ...claims, sub })
  return completeJwt(unsigned, sign(privateKey, encoder.encode(unsigned)))
}

/** Header and payload, for wallets that only sign bytes. Claims are in the order that all wallets use. */
export function unsignedJwt({ sub, iss, iat, exp, addr, grp, origin }: JwtClaims): string {
  return `${part(HEADER)}.${part({ sub, iss, iat, exp, addr, grp, origin })}`
}

/** Appends the signature to header and payload. */
export function completeJwt(unsigned: string, signature: Uint8Array): Jwt {
  // It has the form of a JWT; `verifyJwt` checks its validity.
  return `${unsigned}.${base64urlOf(signature)}` as Jwt
}

function part(json: object): string {
  return base64urlOf(encoder.encode(JSON.stringify(json)))
}
