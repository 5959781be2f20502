import { base64Of, base64urlOf } from './bytes.ts'
import type { Jwt, JwtClaims } from './read-jwt.ts'
import { publicKeyOf, sign } from './signing.ts'

const HEADER = { alg: 'ES256K', typ: 'JWT' }

const encoder = new TextEncoder()

/**
 * Signs an identity token (ES256K, RFC 8812). Its subject is the public key in standard base64, as wallets write it,
 * unless another text for it is given.
 */
export function signJwt(
  privateKey: Uint8Array,
  claims: Omit<JwtClaims, 'sub'> & { readonly sub?: string },
): Jwt {
  const sub = claims.sub ?? base64Of(publicKeyOf(privateKey))
  const unsigned = unsignedJwt({ ...claims, sub })
  return completeJwt(unsigned, sign(privateKey, encoder.encode(unsigned)))
}

/** Header and payload, for a wallet that signs bytes and knows nothing of tokens; names stand in the order all wallets use. */
export function unsignedJwt({ sub, iss, iat, exp, addr, grp }: JwtClaims): string {
  return `${part(HEADER)}.${part({ sub, iss, iat, exp, addr, grp })}`
}

/** Header and payload with the signature that was made over them. */
export function completeJwt(unsigned: string, signature: Uint8Array): Jwt {
  // Three parts make a token; whether it is a good one is asked of verifyJwt.
  return `${unsigned}.${base64urlOf(signature)}` as Jwt
}

function part(json: object): string {
  return base64urlOf(encoder.encode(JSON.stringify(json)))
}
