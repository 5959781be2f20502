import { secp256k1 } from '@noble/curves/secp256k1.js'
import { isWellFormed, type VerifyOptions } from './signature-form.ts'

/**
 * Whether a signature is that of the key over the message. High S, a wrong length, zero, and keys off the curve are
 * answered with false like any other wrong signature; nothing throws, because all three come from strangers.
 */
export function verify(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
  options: VerifyOptions = {},
): boolean {
  if (!isWellFormed(publicKey, message, signature, options)) return false
  return secp256k1.verify(signature, message, publicKey, { lowS: false })
}
