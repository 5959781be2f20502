import { secp256k1 } from '@noble/curves/secp256k1.js'
import { KeyError } from './key-error.ts'

/** The compressed public key (33 bytes) of a private key. */
export function publicKeyOf(privateKey: Uint8Array): Uint8Array {
  return secp256k1.getPublicKey(checked(privateKey))
}

/**
 * Signs a message: ECDSA over its SHA-256 hash, r and s concatenated to 64 bytes. The nonce is deterministic (RFC 6979) and S is
 * low, so every wallet creates the same signature for the same message.
 */
export function sign(privateKey: Uint8Array, message: Uint8Array): Uint8Array {
  return secp256k1.sign(message, checked(privateKey))
}

function checked(privateKey: Uint8Array): Uint8Array {
  if (!secp256k1.utils.isValidSecretKey(privateKey)) {
    throw new KeyError(
      'private-key-invalid',
      'A private key has 32 bytes and is between 1 and the order of the curve.',
    )
  }
  return privateKey
}
