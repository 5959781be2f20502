import { randomInt } from 'node:crypto'
import { RECOVERY_CODES } from '@portico/contracts/limits'
import { sha256 } from './hashes.ts'

/** Crockford's base 32, without look-alike letters: 16 of them hold 80 bits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 16

/** Generates codes, grouped for copying by hand. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)])
      .join('')
      .replace(/.{4}(?=.)/g, '$&-'),
  )
}

/**
 * Hashes a code for storage, ignoring case, separators and look-alike letters. A code is random, so a plain hash
 * suffices.
 */
export function recoveryCodeHash(identityId: string, code: string): string {
  const plain = code
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '')
    .replace(/o/g, '0')
    .replace(/[il]/g, '1')
  return sha256(`${identityId} ${plain}`)
}
