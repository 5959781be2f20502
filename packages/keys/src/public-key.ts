import { isBytes } from '@noble/hashes/utils.js'

const BYTES = 33

/** Whether bytes have the form of a compressed public key (SEC 1); whether it lies on the curve is for a verifier to find. */
export function isCompressedKey(bytes: Uint8Array): boolean {
  return isBytes(bytes) && bytes.length === BYTES && (bytes[0] === 0x02 || bytes[0] === 0x03)
}
