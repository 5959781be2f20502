import { randomInt } from 'node:crypto'
import { plainDigits } from '@portico/contracts/characters'
import { RECOVERY_CODES } from '@portico/contracts/limits'
import { sha256 } from './hashes.ts'

/** Crockford's base 32, without look-alike letters: 24 of them hold 120 bits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 24

/** Generates codes, grouped for copying by hand. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)])
      .join('')
      .replace(/.{4}(?=.)/g, '$&-'),
  )
}

/**
 * Hashes a code for storage, ignoring case, separators, look-alike letters and words before a code in groups. A code has 120
 * random bits, so a plain hash suffices: no one who reads the database can try them all. Codes of 80 bits, from before, stay valid until new ones replace them.
 */
export function recoveryCodeHash(identityId: string, code: string): string {
  const typed = plainDigits(code)
    .normalize('NFKC')
    .replace(/\p{Pd}/gu, '-')
    .toLowerCase()
  const [grouped = typed] = /(?:[0-9a-z]{4}-){3,5}[0-9a-z]{4}(?![0-9a-z])/.exec(typed) ?? []
  const plain = grouped
    .replace(/[^0-9a-z]/g, '')
    .replace(/o/g, '0')
    .replace(/[il]/g, '1')
  return sha256(`${identityId} ${plain}`)
}
