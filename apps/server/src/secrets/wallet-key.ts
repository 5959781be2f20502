/**
 * Keys of hosted wallets. At rest a key is its recovery words, wrapped by the master key; it is opened for one signature
 * at a time and never leaves the server.
 */
import { type Address, addressOf } from '@portico/keys/address'
import { base64Of } from '@portico/keys/bytes'
import { privateKeyAt } from '@portico/keys/derivation'
import { NETWORKS } from '@portico/keys/networks'
import { publicKeyOf } from '@portico/keys/signature'
import { newWords, seedOfWords } from '@portico/keys/words'
import type { Vault } from './vault.ts'

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
  words = newWords(24),
): Promise<WrappedWalletKey> {
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
  const key = await privateKeyOf(vault.unwrap(WALLET_KEY_PURPOSE, stored.wrapped), network)
  if (addressOf(publicKeyOf(key), network.prefix) !== stored.address) {
    throw new Error('A hosted key does not belong to the address it is stored under')
  }
  return key
}

async function privateKeyOf(words: string, network: Network): Promise<Uint8Array> {
  return privateKeyAt(await seedOfWords(words), network.path)
}
