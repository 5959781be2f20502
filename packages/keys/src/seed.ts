const ITERATIONS = 2048
const SEED_BITS = 512

/**
 * The seed of recovery words (BIP-39) that are already validated, in lower case and with single spaces. Needs no word list,
 * so a worker that only signs does not load one.
 */
export async function seedOfValidWords(words: string, passphrase = ''): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', bytesOf(words), 'PBKDF2', false, ['deriveBits'])
  const salt = bytesOf(`mnemonic${passphrase}`)
  const algorithm = { name: 'PBKDF2', hash: 'SHA-512', salt, iterations: ITERATIONS }
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, SEED_BITS))
}

const bytesOf = (text: string) => new TextEncoder().encode(text.normalize('NFKD'))
