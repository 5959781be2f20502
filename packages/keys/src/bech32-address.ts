import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bech32 } from '@scure/base'
import { KeyError } from './key-error.ts'
import { isCompressedKey } from './public-key.ts'

/** A bech32 address (BIP-173) in lower case with a valid checksum. */
export type Address = string & { readonly [brand]: 'Address' }

declare const brand: unique symbol

// Account addresses are hashes of a public key; the chain derives longer addresses for group policies.
const ACCOUNT_BYTES = 20
const GROUP_POLICY_BYTES = 32

const PREFIX = /^[a-z][a-z0-9]*$/

/** A decoded address; the prefix determines the network. */
export type DecodedAddress = { readonly prefix: string; readonly bytes: Uint8Array }

/** The address of a compressed public key: bech32 of RIPEMD-160 of SHA-256. */
export function addressOf(publicKey: Uint8Array, prefix: string): Address {
  if (!isCompressedKey(publicKey)) {
    throw new KeyError(
      'public-key-invalid',
      'An address is derived from a compressed public key: 33 bytes that begin with 2 or 3.',
    )
  }
  return encode(prefix, ripemd160(sha256(publicKey)))
}

/** Encodes an address from its 20 or 32 bytes, for example a group policy's. */
export function encodeAddress({ prefix, bytes }: DecodedAddress): Address {
  if (bytes.length !== ACCOUNT_BYTES && bytes.length !== GROUP_POLICY_BYTES) {
    throw new KeyError(
      'address-bytes-invalid',
      'An address has 20 bytes, or 32 for a group policy.',
    )
  }
  return encode(prefix, bytes)
}

/** Decodes an address of 20 or 32 bytes in lower or upper case (BIP-173); `undefined` if it is invalid. */
export function decodeAddress(text: string): DecodedAddress | undefined {
  const decoded = typeof text === 'string' ? bech32.decodeUnsafe(text) : undefined
  const bytes = decoded && bech32.fromWordsUnsafe(decoded.words)
  if (!decoded || !bytes || !PREFIX.test(decoded.prefix)) return undefined
  const isKnownLength = bytes.length === ACCOUNT_BYTES || bytes.length === GROUP_POLICY_BYTES
  return isKnownLength ? { prefix: decoded.prefix, bytes } : undefined
}

/** Whether a text is a valid address in lower case. */
export function isAddress(text: string): text is Address {
  return decodeAddress(text) !== undefined && text === text.toLowerCase()
}

function encode(prefix: string, bytes: Uint8Array): Address {
  if (!PREFIX.test(prefix)) {
    throw new KeyError(
      'prefix-invalid',
      `${JSON.stringify(prefix)} is not an address prefix. Use a prefix from NETWORKS.`,
    )
  }
  // The encoder returns a valid lower-case address.
  return bech32.encodeFromBytes(prefix, bytes) as Address
}
