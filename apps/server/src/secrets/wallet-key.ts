/**
 * Hosted wallets' keys. A key is stored as its recovery words, encrypted by the vault. It is decrypted for one signature at
 * a time and never leaves the server.
 */
import type { Address } from '@portico/keys/address'
import { base64Of } from '@portico/keys/bytes'
import { NETWORKS } from '@portico/keys/networks'
import type { Vault } from './vault.ts'

// Loaded on first use: the cryptography takes a tenth of a second to load.
const loadKeys = async () => ({
  ...(await import('@portico/keys/address')),
  ...(await import('@portico/keys/derivation')),
  ...(await import('@portico/keys/signature')),
  ...(await import('@portico/keys/mnemonic')),
})

export type Network = (typeof NETWORKS)[keyof typeof NETWORKS]

const WALLET_KEY_PURPOSE = 'hosted wallet'

export interface WrappedWalletKey {
  readonly address: Address
  /** Compressed, in standard base64. */
  readonly publicKey: string
  readonly wrapped: string
}

export function networkOfPrefix(prefix: Network['prefix']): Network {
  return prefix === NETWORKS.mainnet.prefix ? NETWORKS.mainnet : NETWORKS.testnet
}

/**
 * Creates a key from the given recovery words, or from new ones.
 *
 * @throws KeyError - `words-invalid`
 */
export async function makeWalletKey(
  vault: Vault,
  network: Network,
  existingWords?: string,
): Promise<WrappedWalletKey> {
  const { addressOf, newWords, publicKeyOf } = await loadKeys()
  const words = existingWords ?? newWords(24)
  const publicKey = publicKeyOf(await privateKeyOf(words, network))
  return {
    address: addressOf(publicKey, network.prefix),
    publicKey: base64Of(publicKey),
    wrapped: vault.wrap(WALLET_KEY_PURPOSE, words),
  }
}

/** Opens a stored key. A key stored under an address other than its own was tampered with, and is rejected. */
export async function openWalletKey(
  vault: Vault,
  network: Network,
  stored: { readonly address: string; readonly wrapped: string },
): Promise<Uint8Array> {
  const { addressOf, publicKeyOf } = await loadKeys()
  const key = await privateKeyOf(vault.unwrap(WALLET_KEY_PURPOSE, stored.wrapped), network)
  if (addressOf(publicKeyOf(key), network.prefix) !== stored.address) {
    throw new Error('A hosted key does not belong to the address it is stored under')
  }
  return key
}

async function privateKeyOf(words: string, network: Network): Promise<Uint8Array> {
  const { privateKeyAt, seedOfWords } = await loadKeys()
  return privateKeyAt(await seedOfWords(words), network.path)
}
