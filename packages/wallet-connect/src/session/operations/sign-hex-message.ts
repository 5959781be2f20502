import { bytesOfBase64, bytesOfHex } from '@portico/keys/bytes'
import { signRequest } from '../../protocol/methods.ts'
import type { SignHexMessageMethodResult } from '../broadcast-events.ts'
import type { Verify } from '../conversation.ts'
import {
  failure,
  type Operation,
  type OperationContext,
  signatureIn,
  WRONG_SIGNATURE,
} from './operation.ts'

/** The wording of §5. */
const NOT_HEX = 'Message parameter is not a hex value.'

/**
 * Requests a signature over bytes. A message that is not hexadecimal text of whole bytes is refused before the wallet is
 * contacted, so that the user does not approve something that is then discarded.
 */
export function signHexMessage(
  hex: string,
  { id, now, address, publicKey, customId }: OperationContext,
): Operation<SignHexMessageMethodResult> {
  const description = 'Sign Message'
  const bytes = hex === '' ? undefined : bytesOfHex(hex)
  return {
    method: 'signHexMessage',
    request: signRequest({ id, hex, description, address, date: now, customId }),
    customId,
    refusal: bytes === undefined ? NOT_HEX : undefined,
    outcomeOf: (response, verify) => {
      const signature = signatureIn(response)
      if (bytes === undefined || signature === undefined) return failure(WRONG_SIGNATURE)
      if (!isBy(publicKey, { message: bytes, signature, verify })) {
        return { valid: false, error: WRONG_SIGNATURE, result: { signature } }
      }
      return { valid: true, result: { signature } }
    },
  }
}

/** Whether a hexadecimal signature was made with a public key in base64 of either alphabet. */
export function isBy(
  publicKey: string,
  { message, signature, verify }: { message: Uint8Array; signature: string; verify: Verify },
): boolean {
  const key = bytesOfBase64(publicKey)
  const bytes = bytesOfHex(signature)
  return key !== undefined && bytes !== undefined && verify(key, message, bytes)
}
