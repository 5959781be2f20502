import { createPublicKey, type KeyObject, verify as verifyNatively } from 'node:crypto'
import { isWellFormed, type VerifyOptions } from './signature-form.ts'

// SubjectPublicKeyInfo (RFC 5480) of a compressed secp256k1 key, up to the 33 bytes of the key itself.
const KEY_INFO = Buffer.from('3036301006072a8648ce3d020106052b8104000a032200', 'hex')

/** `verify` for Node, whose own library is about three times as fast; it answers exactly as the other does. */
export function verify(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
  options: VerifyOptions = {},
): boolean {
  if (!isWellFormed(publicKey, message, signature, options)) return false
  const key = imported(publicKey)
  return (
    key !== undefined &&
    verifyNatively('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, signature)
  )
}

function imported(publicKey: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({
      key: Buffer.concat([KEY_INFO, publicKey]),
      format: 'der',
      type: 'spki',
    })
  } catch {
    // The bytes are no point of the curve.
    return undefined
  }
}
