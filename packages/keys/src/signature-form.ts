import { isBytes } from '@noble/hashes/utils.js'
import { hexOf } from './bytes.ts'
import { isCompressedKey } from './public-key.ts'

/** How strict a verifier is about the second half of a signature. */
export type VerifyOptions = {
  /** Each signature has a twin with high S that plain ECDSA takes too; refused unless said otherwise (BIP-146). */
  readonly highS?: 'refuse' | 'accept'
}

const SIGNATURE_BYTES = 64
const SCALAR_BYTES = 32
const HALF_ORDER = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0'

/** What both verifiers ask before any arithmetic, so that they answer alike. */
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
