import { createPublicKey, type KeyObject, verify as verifyNatively } from 'node:crypto'
import { isWellFormed, type VerifyOptions } from './signature-form.ts'

// The SubjectPublicKeyInfo (RFC 5480) prefix of a compressed secp256k1 key of 33 bytes.
const KEY_INFO = Buffer.from('3036301006072a8648ce3d020106052b8104000a032200', 'hex')

/** `verify` for Node with its native crypto, about three times as fast. It gives exactly the same results. */
export function verify(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
  options: VerifyOptions = {},
): boolean {
  if (!isWellFormed(publicKey, message, signature, options)) return false
  const key = importKey(publicKey)
  return (
    key !== undefined &&
    verifyNatively('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, signature)
  )
}

function importKey(publicKey: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({
      key: Buffer.concat([KEY_INFO, publicKey]),
      format: 'der',
      type: 'spki',
    })
  } catch {
    // The bytes are not a point on the curve.
    return undefined
  }
}
