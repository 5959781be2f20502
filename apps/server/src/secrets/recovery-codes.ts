import { randomInt } from 'node:crypto'
import { RECOVERY_CODES } from '@portico/contracts/limits'
import { sha256 } from './hashes.ts'

/** Digits and letters that nobody takes for another (Crockford's base 32): 16 of them hold 80 bits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 16

/** Codes to hand out, grouped to be copied by hand. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)])
      .join('')
      .replace(/.{4}(?=.)/g, '$&-'),
  )
}

/** The stored form of a code, however it is written. A code is random, so a plain hash keeps it. */
export function recoveryCodeHash(identityId: string, code: string): string {
  const plain = code
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '')
    .replace(/o/g, '0')
    .replace(/[il]/g, '1')
  return sha256(`${identityId} ${plain}`)
}
