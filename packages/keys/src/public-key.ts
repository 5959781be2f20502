import { isBytes } from '@noble/hashes/utils.js'

const BYTES = 33

/** Whether bytes have the form of a compressed public key (SEC 1). Does not check that the point is on the curve. */
export function isCompressedKey(bytes: Uint8Array): boolean {
  return isBytes(bytes) && bytes.length === BYTES && (bytes[0] === 0x02 || bytes[0] === 0x03)
}
