import { sha256 } from '@noble/hashes/sha2.js'
import { verify as verifyHash } from '@noble/secp256k1'
import { isWellFormed, type VerifyOptions } from './signature-form.ts'

/**
 * Whether a signature is that of the key over the message. High S, a wrong length, zero, and keys off the curve are
 * answered with false like any other wrong signature; nothing throws, because all three come from strangers. The curve
 * is the small one of two by the same hand: a page only ever verifies, and loads 7 kB less.
 */
export function verify(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
  options: VerifyOptions = {},
): boolean {
  if (!isWellFormed(publicKey, message, signature, options)) return false
  try {
    return verifyHash(signature, sha256(message), publicKey, { lowS: false, prehash: false })
  } catch {
    // Zero, or a number past the order of the curve, is told by an error.
    return false
  }
}
