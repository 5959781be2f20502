import { isBytes } from '@noble/hashes/utils.js'
import { hexOf } from './bytes.ts'
import { isCompressedKey } from './public-key.ts'

/** Options of signature verification. */
export type VerifyOptions = {
  /** Plain ECDSA also accepts high S; it is rejected by default (BIP-146). */
  readonly highS?: 'refuse' | 'accept'
}

const SIGNATURE_BYTES = 64
const SCALAR_BYTES = 32
const HALF_ORDER = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0'

/** The checks that both verifiers make first, so that they agree on malformed input. */
export function isWellFormed(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
  { highS = 'refuse' }: VerifyOptions,
): boolean {
  if (!isCompressedKey(publicKey) || !isBytes(message)) return false
  if (!isBytes(signature) || signature.length !== SIGNATURE_BYTES) return false
  return highS === 'accept' || hexOf(signature.subarray(SCALAR_BYTES)) <= HALF_ORDER
}
