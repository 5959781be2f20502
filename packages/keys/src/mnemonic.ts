import { generateMnemonic, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { KeyError } from './key-error.ts'
import { seedOfValidWords } from './seed.ts'

/** The words of BIP-39. */
export const RECOVERY_WORDS: readonly string[] = wordlist

const ENTROPY_BITS = { 12: 128, 24: 256 } as const

/** New recovery words (BIP-39, English) from the platform's random number generator. */
export function newWords(count: keyof typeof ENTROPY_BITS = 24): string {
  return generateMnemonic(wordlist, ENTROPY_BITS[count])
}

/**
 * The seed of recovery words (BIP-39). Case and spacing do not matter, since users copy words from paper. An unknown word,
 * a wrong count or a wrong checksum throws a `KeyError` 'words-invalid', because such words would open an empty wallet.
 */
export async function seedOfWords(words: string, passphrase = ''): Promise<Uint8Array> {
  const normalized = words.trim().toLowerCase().split(/\s+/).join(' ')
  if (!validateMnemonic(normalized, wordlist)) {
    throw new KeyError(
      'words-invalid',
      'These are not valid recovery words: their count, a word or the checksum is wrong. Compare them with your written copy.',
    )
  }
  return seedOfValidWords(normalized, passphrase)
}

/** Splits typed or pasted recovery words. Case, spacing, and the numbers and commas of a written list do not matter. */
export function wordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .split(/[\s\d.,;:)]+/)
    .filter((word) => word !== '')
}

/** Why words are not valid recovery words. */
export type WordsProblem =
  | { readonly kind: 'count'; readonly count: number }
  /** Words that are not in the BIP-39 list, numbered from 1. */
  | { readonly kind: 'unknown'; readonly words: readonly { number: number; word: string }[] }
  /** Each word is valid but the combination is not: one is missing, wrong or in the wrong position. */
  | { readonly kind: 'checksum' }

const COUNTS = [12, 15, 18, 21, 24]

/** Why these are not valid recovery words; undefined if they are. */
export function wordsProblem(words: readonly string[]): WordsProblem | undefined {
  const unknown = words
    .map((word, index) => ({ number: index + 1, word }))
    .filter(({ word }) => !wordlist.includes(word))
  if (unknown.length > 0) return { kind: 'unknown', words: unknown }
  if (!COUNTS.includes(words.length)) return { kind: 'count', count: words.length }
  return validateMnemonic(words.join(' '), wordlist) ? undefined : { kind: 'checksum' }
}
