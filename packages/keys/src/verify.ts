import { sha256 } from '@noble/hashes/sha2.js'
import { verify as verifyHash } from '@noble/secp256k1'
import { isWellFormed, type VerifyOptions } from './signature-form.ts'

/**
 * Verifies the key's signature over a message. High S, a wrong length, zero, and keys off the curve return false like any
 * other wrong signature; nothing throws, because all inputs are untrusted. Uses noble's smaller implementation, which saves
 * 7 kB on pages, which only verify.
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
    // The library throws for zero or numbers beyond the order of the curve.
    return false
  }
}
