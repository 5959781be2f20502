import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { etc, Point } from '@noble/secp256k1'
import { KeyError } from './key-error.ts'
import { publicKeyOf } from './signing.ts'

const PATH = /^m(?:\/\d{1,10}'?)*$/
const SEED_BYTES = { minimum: 16, maximum: 64 }
const HARDENED = 2 ** 31
const MASTER_KEY = new TextEncoder().encode('Bitcoin seed')
const KEY_BYTES = 32
const INDEX_BYTES = 4
const ORDER = Point.CURVE().n

/** A private key with its chain code (BIP-32). */
interface ExtendedKey {
  readonly privateKey: Uint8Array
  readonly chainCode: Uint8Array
}

/** The private key at a path such as `m/44'/505'/0'/0/0` (BIP-32). */
export function privateKeyAt(seed: Uint8Array, path: string): Uint8Array {
  if (seed.length < SEED_BYTES.minimum || seed.length > SEED_BYTES.maximum) {
    throw new KeyError('seed-invalid', 'A seed has 16 to 64 bytes. Create it with seedOfWords.')
  }
  if (!PATH.test(path)) {
    throw new KeyError('path-invalid', `There is no key at ${JSON.stringify(path)}.`)
  }
  const indexes = path.split('/').slice(1).map(indexOf)
  if (indexes.includes(undefined)) {
    throw new KeyError(
      'path-invalid',
      `${JSON.stringify(path)} is not a valid path: an index is too large.`,
    )
  }
  let key = split(hmac(sha512, MASTER_KEY, seed))
  for (const index of indexes) {
    const parent = key
    key = childOf(parent, index ?? 0)
    parent.privateKey.fill(0)
  }
  return key.privateKey
}

/** The index of a step of a path; undefined if it is too large. */
function indexOf(step: string): number | undefined {
  const index = Number.parseInt(step, 10)
  if (index >= HARDENED) return undefined
  return step.endsWith("'") ? index + HARDENED : index
}

function childOf({ privateKey, chainCode }: ExtendedKey, index: number): ExtendedKey {
  const data = new Uint8Array(1 + KEY_BYTES + INDEX_BYTES)
  if (index >= HARDENED) data.set(privateKey, 1)
  else data.set(publicKeyOf(privateKey))
  new DataView(data.buffer).setUint32(1 + KEY_BYTES, index)
  const { privateKey: tweak, chainCode: next } = split(hmac(sha512, chainCode, data))
  data.fill(0)
  const [added, parent] = [etc.bytesToNumberBE(tweak), etc.bytesToNumberBE(privateKey)]
  const child = etc.mod(added + parent, ORDER)
  // BIP-32 skips to the next index; the chance is one in 2^127.
  if (added >= ORDER || child === 0n) return childOf({ privateKey, chainCode }, index + 1)
  return { privateKey: etc.numberToBytesBE(child), chainCode: next }
}

function split(bytes: Uint8Array): ExtendedKey {
  return { privateKey: bytes.slice(0, KEY_BYTES), chainCode: bytes.slice(KEY_BYTES) }
}
