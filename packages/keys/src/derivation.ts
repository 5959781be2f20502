import { HDKey } from '@scure/bip32'
import { KeyError } from './key-error.ts'

const PATH = /^m(?:\/\d{1,10}'?)*$/
const SEED_BYTES = { minimum: 16, maximum: 64 }

/** The private key at a path such as `m/44'/505'/0'/0/0` (BIP-32). */
export function privateKeyAt(seed: Uint8Array, path: string): Uint8Array {
  if (seed.length < SEED_BYTES.minimum || seed.length > SEED_BYTES.maximum) {
    throw new KeyError('seed-invalid', 'A seed has 16 to 64 bytes. Create it with seedOfWords.')
  }
  const key = PATH.test(path) ? derive(HDKey.fromMasterSeed(seed), path).privateKey : undefined
  if (!key) throw new KeyError('path-invalid', `There is no key at ${JSON.stringify(path)}.`)
  return key
}

function derive(root: HDKey, path: string): HDKey {
  try {
    return root.derive(path)
  } catch {
    throw new KeyError(
      'path-invalid',
      `${JSON.stringify(path)} is not a valid path: an index is too large.`,
    )
  }
}
