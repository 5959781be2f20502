import { generateMnemonic, mnemonicToSeedWebcrypto, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { KeyError } from './key-error.ts'

const ENTROPY_BITS = { 12: 128, 24: 256 } as const

/** New recovery words (BIP-39, English), from the platform's generator of random numbers. */
export function newWords(count: keyof typeof ENTROPY_BITS = 24): string {
  return generateMnemonic(wordlist, ENTROPY_BITS[count])
}

/**
 * The seed of recovery words (BIP-39). Case and spacing are forgiven, as people copy words from paper; an unknown word,
 * a wrong count or a wrong checksum is a `KeyError` 'words-invalid', for such words would open an empty wallet.
 */
export async function seedOfWords(words: string, passphrase = ''): Promise<Uint8Array> {
  const tidy = words.trim().toLowerCase().split(/\s+/).join(' ')
  if (!validateMnemonic(tidy, wordlist)) {
    throw new KeyError(
      'words-invalid',
      'These are no recovery words: their count, a word or the checksum is wrong. Check them against the written copy.',
    )
  }
  return mnemonicToSeedWebcrypto(tidy, passphrase)
}
