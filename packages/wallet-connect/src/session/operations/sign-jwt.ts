import { base64Of, bytesOfBase64, bytesOfHex, hexOf } from '@portico/keys/bytes'
import { completeJwt, unsignedJwt } from '@portico/keys/jwt'
import { signRequest } from '../../protocol/methods.ts'
import type { SignJWTMethodResult } from '../broadcast-events.ts'
import { type Asking, failure, type Operation, signatureIn, WRONG_SIGNATURE } from './operation.ts'
import { isBy } from './sign-hex-message.ts'

/** Default life of an identity token (§3). */
const LIFE_S = 1440

/**
 * Asks for an identity token. The page writes it and the wallet signs its bytes. While a group is represented the token
 * names the group, so that asking for one never turns the person back into an individual.
 */
export function signJwt(
  {
    expiresS = LIFE_S,
    issuer,
    group,
  }: {
    readonly expiresS?: number | undefined
    readonly issuer: string
    readonly group: string | undefined
  },
  { id, now, address, publicKey, customId }: Asking,
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
    judge: (answer, verify) => {
      const signature = signatureIn(answer)
      if (signature === undefined || !isBy(publicKey, { message: bytes, signature, verify }))
        return failure(WRONG_SIGNATURE)
      // Just found to be hexadecimal.
      const signedJWT = completeJwt(unsigned, bytesOfHex(signature) ?? new Uint8Array())
      return { valid: true, result: { signature, signedJWT, expires } }
    },
  }
}
