import { randomBytes } from 'node:crypto'
import { addressOf } from '@portico/keys/address'
import { publicKeyOf } from '@portico/keys/signature'
import type { Vault } from '../secrets/vault.ts'
import { makeWalletKey, type Network, type WrappedWalletKey } from '../secrets/wallet-key.ts'
import type { Stores } from '../stores.ts'
import type { DemonstrationWallet } from './people.ts'

/** The policy of the one group there is: the chain derives such an address, so that no key belongs to it. */
const GROUP_POLICY: Readonly<Record<Network['prefix'], string>> = {
  pb: 'pb1w0pzzepdmfcjjhc00q82jfsk9l8xfehlfr32nquf0ggmehqaz3es4st7mr',
  tp: 'tp1w0pzzepdmfcjjhc00q82jfsk9l8xfehlfr32nquf0ggmehqaz3es6emfll',
}

/** A wallet with its address, and its key where that is hosted. */
interface PreparedWallet {
  readonly wallet: DemonstrationWallet
  readonly address: string
  readonly key: WrappedWalletKey | undefined
}

/** Makes the keys of somebody's wallets; it takes long, so it is done before the transaction. */
export function prepareWallets(
  wallets: readonly DemonstrationWallet[] = [],
  { vault, network }: { readonly vault: Vault; readonly network: Network },
): Promise<PreparedWallet[]> {
  return Promise.all(
    wallets.map(async (wallet) => {
      // Nobody needs the key of an old wallet: it is converted, not used.
      if (wallet.type === 'PROVENANCE') {
        return { wallet, address: anyAddress(network), key: undefined }
      }
      const words = wallet.type === 'SELF_CUSTODY' ? wallet.words : undefined
      const key = await makeWalletKey(vault, network, words)
      return { wallet, address: key.address, key: wallet.type === 'FIGURE' ? key : undefined }
    }),
  )
}

/** Puts prepared wallets into somebody's list, with the organisations they sign for. */
export async function addWallets(
  { wallets, hostedKeys, accounts }: Stores,
  prepared: readonly PreparedWallet[],
  { identityId, network, at }: { identityId: string; network: Network; at: number },
): Promise<void> {
  for (const [index, { wallet, address, key }] of prepared.entries()) {
    const { name, type, organizations = [] } = wallet
    await wallets.add({
      identity_id: identityId,
      address,
      name,
      type,
      default_at: null,
      converted_at: null,
      created_at: at + index,
    })
    if (type !== 'SELF_CUSTODY') await wallets.hold(address, identityId, at)
    if (key !== undefined) {
      const { publicKey: public_key, wrapped } = key
      await hostedKeys.add({ address, public_key, wrapped, created_at: at })
    }
    for (const organization of organizations) {
      const accountAddress =
        organization.type === 'Group' ? GROUP_POLICY[network.prefix] : anyAddress(network)
      await accounts.add({ address: accountAddress, name: organization.name, created_at: at })
      const { type: authorization } = organization
      await accounts.authorize({ walletAddress: address, accountAddress, type: authorization, at })
    }
  }
}

function anyAddress({ prefix }: Network): string {
  return addressOf(publicKeyOf(randomBytes(32)), prefix)
}
