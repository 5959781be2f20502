import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bech32 } from '@scure/base'
import { KeyError } from './key-error.ts'
import { isCompressedKey } from './public-key.ts'

/** A bech32 address (BIP-173) in lower case, checksum proven. */
export type Address = string & { readonly [brand]: 'Address' }

declare const brand: unique symbol

// Accounts are hashes of a key; group policies are derived by the chain and longer.
const ACCOUNT_BYTES = 20
const GROUP_POLICY_BYTES = 32

const PREFIX = /^[a-z][a-z0-9]*$/

/** What an address says: whose it is, and on which network. */
export type DecodedAddress = { readonly prefix: string; readonly bytes: Uint8Array }

/** The address of a compressed public key: bech32 of RIPEMD-160 of SHA-256. */
export function addressOf(publicKey: Uint8Array, prefix: string): Address {
  if (!isCompressedKey(publicKey)) {
    throw new KeyError(
      'public-key-invalid',
      'An address is made of a compressed public key: 33 bytes that begin with 2 or 3.',
    )
  }
  return written(prefix, ripemd160(sha256(publicKey)))
}

/** An address of 20 or 32 bytes that are known already, such as those of a group policy, which the chain derives. */
export function encodeAddress({ prefix, bytes }: DecodedAddress): Address {
  if (bytes.length !== ACCOUNT_BYTES && bytes.length !== GROUP_POLICY_BYTES) {
    throw new KeyError(
      'address-bytes-invalid',
      'An address holds 20 bytes, or 32 of a group policy.',
    )
  }
  return written(prefix, bytes)
}

/** Prefix and bytes of an address of 20 or 32 bytes, in lower or upper case as BIP-173 allows; nothing where it is none. */
export function decodeAddress(text: string): DecodedAddress | undefined {
  const decoded = typeof text === 'string' ? bech32.decodeUnsafe(text) : undefined
  const bytes = decoded && bech32.fromWordsUnsafe(decoded.words)
  if (!decoded || !bytes || !PREFIX.test(decoded.prefix)) return undefined
  const known = bytes.length === ACCOUNT_BYTES || bytes.length === GROUP_POLICY_BYTES
  return known ? { prefix: decoded.prefix, bytes } : undefined
}

/** Whether a text is an address as this package writes it. */
export function isAddress(text: string): text is Address {
  return decodeAddress(text) !== undefined && text === text.toLowerCase()
}

function written(prefix: string, bytes: Uint8Array): Address {
  if (!PREFIX.test(prefix)) {
    throw new KeyError(
      'prefix-invalid',
      `${JSON.stringify(prefix)} begins no address. Take a prefix from NETWORKS.`,
    )
  }
  // The encoder answers with nothing but a correct address, which is what the brand says.
  return bech32.encodeFromBytes(prefix, bytes) as Address
}
