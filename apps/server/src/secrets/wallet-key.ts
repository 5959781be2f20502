/**
 * Keys of hosted wallets. At rest a key is its recovery words, wrapped by the master key; it is opened for one signature
 * at a time and never leaves the server.
 */
import type { Address } from '@portico/keys/address'
import { base64Of } from '@portico/keys/bytes'
import { NETWORKS } from '@portico/keys/networks'
import type { Vault } from './vault.ts'

// The arithmetic of keys takes a tenth of a second to load, and most starts do not need it at once.
const arithmetic = async () => ({
  ...(await import('@portico/keys/address')),
  ...(await import('@portico/keys/derivation')),
  ...(await import('@portico/keys/signature')),
  ...(await import('@portico/keys/words')),
})

/** The network whose addresses an installation takes. */
export type Network = (typeof NETWORKS)[keyof typeof NETWORKS]

/** The purpose under which the vault wraps recovery words. */
const WALLET_KEY_PURPOSE = 'hosted wallet'

/** A key that can be stored. */
export interface WrappedWalletKey {
  readonly address: Address
  /** Compressed, in standard base64. */
  readonly publicKey: string
  readonly wrapped: string
}

/** The network of addresses with a prefix. */
export function networkOfPrefix(prefix: Network['prefix']): Network {
  return prefix === NETWORKS.mainnet.prefix ? NETWORKS.mainnet : NETWORKS.testnet
}

/**
 * Makes a key, of new words unless some are given.
 *
 * @throws KeyError - `words-invalid`
 */
export async function makeWalletKey(
  vault: Vault,
  network: Network,
  given?: string,
): Promise<WrappedWalletKey> {
  const { addressOf, newWords, publicKeyOf } = await arithmetic()
  const words = given ?? newWords(24)
  const publicKey = publicKeyOf(await privateKeyOf(words, network))
  return {
    address: addressOf(publicKey, network.prefix),
    publicKey: base64Of(publicKey),
    wrapped: vault.wrap(WALLET_KEY_PURPOSE, words),
  }
}

/** Opens a stored key. One that stands under another address than its own was put there by somebody, and opens nothing. */
export async function openWalletKey(
  vault: Vault,
  network: Network,
  stored: { readonly address: string; readonly wrapped: string },
): Promise<Uint8Array> {
  const { addressOf, publicKeyOf } = await arithmetic()
  const key = await privateKeyOf(vault.unwrap(WALLET_KEY_PURPOSE, stored.wrapped), network)
  if (addressOf(publicKeyOf(key), network.prefix) !== stored.address) {
    throw new Error('A hosted key does not belong to the address it is stored under')
  }
  return key
}

async function privateKeyOf(words: string, network: Network): Promise<Uint8Array> {
  const { privateKeyAt, seedOfWords } = await arithmetic()
  return privateKeyAt(await seedOfWords(words), network.path)
}
