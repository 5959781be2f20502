/**
 * ES256K (RFC 8812): ECDSA over secp256k1 with SHA-256, the signature being r and s concatenated. Half of OpenSSL's
 * signatures have high S. They are normalized when signing, and high S is rejected when verifying, so that each token has
 * exactly one valid form. Unlike `verify` in packages/keys, which imports a wallet's key bytes on every call, this takes a
 * signing key's `KeyObject` and does not load that package's curves at startup.
 */
import { type KeyObject, sign, verify } from 'node:crypto'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const SIGNATURE_BYTES = 64

const scalar = (bytes: Buffer) => BigInt(`0x${bytes.toString('hex')}`)
const bytesOf = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')

/** The signature has low S. */
export function signEs256k(text: string, key: KeyObject): Buffer {
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
  const s = scalar(signature.subarray(32))
  return s > ORDER / 2n ? Buffer.concat([signature.subarray(0, 32), bytesOf(ORDER - s)]) : signature
}

/** Returns false for wrong, high-S and malformed signatures; never throws. */
export function verifyEs256k(text: string, signature: Buffer, key: KeyObject): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false
  if (scalar(signature.subarray(32)) > ORDER / 2n) return false
  return verify('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, signature)
}
