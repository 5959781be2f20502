import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { getPublicKey, hashes, sign as signHash, utils } from '@noble/secp256k1'
import { KeyError } from './key-error.ts'

// The library draws the nonce (RFC 6979) with the functions it is given.
hashes.hmacSha256 = (key, message) => hmac(sha256, key, message)

/** The compressed public key (33 bytes) of a private key. */
export function publicKeyOf(privateKey: Uint8Array): Uint8Array {
  return getPublicKey(requirePrivateKey(privateKey))
}

/**
 * Signs a message: ECDSA over its SHA-256 hash, r and s concatenated to 64 bytes. The nonce is deterministic (RFC 6979) and S is
 * low, so every wallet creates the same signature for the same message. It uses noble's smaller implementation, which saves the
 * extension's worker and phones 10 kB: a wallet signs once per approval.
 */
export function sign(privateKey: Uint8Array, message: Uint8Array): Uint8Array {
  return signHash(sha256(message), requirePrivateKey(privateKey), { prehash: false })
}

function requirePrivateKey(privateKey: Uint8Array): Uint8Array {
  if (!utils.isValidSecretKey(privateKey)) {
    throw new KeyError(
      'private-key-invalid',
      'A private key has 32 bytes and is between 1 and the order of the curve.',
    )
  }
  return privateKey
}
