import { generateMnemonic, mnemonicToSeedWebcrypto, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { KeyError } from './key-error.ts'

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
  return mnemonicToSeedWebcrypto(normalized, passphrase)
}
