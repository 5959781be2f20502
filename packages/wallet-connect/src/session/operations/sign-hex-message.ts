import { bytesOfBase64, bytesOfHex } from '@portico/keys/bytes'
import { signRequest } from '../../protocol/methods.ts'
import type { SignHexMessageMethodResult } from '../broadcast-events.ts'
import type { Verify } from '../conversation.ts'
import { type Asking, failure, type Operation, signatureIn, WRONG_SIGNATURE } from './operation.ts'

/** §5, letter for letter. */
const NOT_HEX = 'Message parameter is not a hex value.'

/**
 * Asks for a signature over bytes. A message that is no hexadecimal text of whole bytes is refused before the wallet is
 * asked: nobody should approve what is thrown away afterwards.
 */
export function signHexMessage(
  hex: string,
  { id, now, address, publicKey, customId }: Asking,
): Operation<SignHexMessageMethodResult> {
  const description = 'Sign Message'
  const bytes = hex === '' ? undefined : bytesOfHex(hex)
  return {
    method: 'signHexMessage',
    request: signRequest({ id, hex, description, address, date: now, customId }),
    customId,
    refusal: bytes === undefined ? NOT_HEX : undefined,
    judge: (answer, verify) => {
      const signature = signatureIn(answer)
      if (bytes === undefined || signature === undefined) return failure(WRONG_SIGNATURE)
      if (!isBy(publicKey, { message: bytes, signature, verify })) {
        return { valid: false, error: WRONG_SIGNATURE, result: { signature } }
      }
      return { valid: true, result: { signature } }
    },
  }
}

/** Whether a signature, in hexadecimal, was made with the key that a wallet writes in either base64. */
export function isBy(
  publicKey: string,
  { message, signature, verify }: { message: Uint8Array; signature: string; verify: Verify },
): boolean {
  const key = bytesOfBase64(publicKey)
  const bytes = bytesOfHex(signature)
  return key !== undefined && bytes !== undefined && verify(key, message, bytes)
}
