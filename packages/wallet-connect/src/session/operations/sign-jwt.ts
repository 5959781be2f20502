import { base64Of, bytesOfBase64, bytesOfHex, hexOf } from '@portico/keys/bytes'
import { completeJwt, unsignedJwt } from '@portico/keys/jwt'
import { signRequest } from '../../protocol/methods.ts'
import type { SignJWTMethodResult } from '../broadcast-events.ts'
import {
  failure,
  type Operation,
  type OperationContext,
  signatureIn,
  WRONG_SIGNATURE,
} from './operation.ts'
import { isBy } from './sign-hex-message.ts'

/** Default lifetime of an identity token (§3). */
const LIFETIME_S = 1440

/**
 * Requests an identity token. The page builds it and the wallet signs its bytes. While a group is represented the token
 * names the group; otherwise signing one would silently turn the user back into an individual.
 */
export function signJwt(
  {
    expiresS = LIFETIME_S,
    issuer,
    group,
  }: {
    readonly expiresS?: number | undefined
    readonly issuer: string
    readonly group: string | undefined
  },
  { id, now, address, publicKey, customId }: OperationContext,
): Operation<SignJWTMethodResult> {
  const iat = Math.round(now / 1000)
  const expires = iat + expiresS
  const key = bytesOfBase64(publicKey)
  const unsigned = unsignedJwt({
    sub: key === undefined ? publicKey : base64Of(key),
    iss: issuer,
    iat,
    exp: expires,
    addr: address,
    ...(group === undefined ? {} : { grp: group }),
  })
  const bytes = new TextEncoder().encode(unsigned)
  const description = 'Sign JWT Token'
  return {
    method: 'signJWT',
    request: signRequest({ id, hex: hexOf(bytes), description, address, date: now, customId }),
    customId,
    outcomeOf: (response, verify) => {
      const signature = signatureIn(response)
      if (signature === undefined || !isBy(publicKey, { message: bytes, signature, verify }))
        return failure(WRONG_SIGNATURE)
      // `signatureIn` has checked that it is hexadecimal.
      const signedJWT = completeJwt(unsigned, bytesOfHex(signature) ?? new Uint8Array())
      return { valid: true, result: { signature, signedJWT, expires } }
    },
  }
}
