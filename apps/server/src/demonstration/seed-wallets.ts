import { randomBytes } from 'node:crypto'
import type { Vault } from '../secrets/vault.ts'
import { makeWalletKey, type Network, type WrappedWalletKey } from '../secrets/wallet-key.ts'
import type { Stores } from '../stores.ts'
import type { DemonstrationOrganization, DemonstrationWallet } from './people.ts'

/** The policy of the one group there is: chains derive it as that of their first group, so that no key belongs to it. */
const GROUP_POLICY: Readonly<Record<Network['prefix'], string>> = {
  pb: 'pb1afk9zr2hn2jsac63h4hm60vl9z3e5u69gndzf7c99cqge3vzwjzsk2zpj4',
  tp: 'tp1afk9zr2hn2jsac63h4hm60vl9z3e5u69gndzf7c99cqge3vzwjzserjkkf',
}

/** A wallet with its address, and its key where that is hosted. */
interface PreparedWallet {
  readonly wallet: DemonstrationWallet
  readonly address: string
  readonly key: WrappedWalletKey | undefined
  /** The organizations it signs for, each with the address of its account. */
  readonly organizations: readonly (DemonstrationOrganization & { readonly address: string })[]
}

/** Makes the keys of somebody's wallets; it takes long, so it is done before the transaction. */
export function prepareWallets(
  wallets: readonly DemonstrationWallet[] = [],
  { vault, network }: { readonly vault: Vault; readonly network: Network },
): Promise<PreparedWallet[]> {
  return Promise.all(
    wallets.map(async (wallet) => {
      const organizations = await withAddresses(wallet.organizations ?? [], network)
      // Nobody needs the key of an old wallet: it is converted, not used.
      if (wallet.type === 'PROVENANCE') {
        return { wallet, organizations, address: await anyAddress(network), key: undefined }
      }
      const words = wallet.type === 'SELF_CUSTODY' ? wallet.words : undefined
      const key = await makeWalletKey(vault, network, words)
      const kept = wallet.type === 'FIGURE' ? key : undefined
      return { wallet, organizations, address: key.address, key: kept }
    }),
  )
}

/** Puts prepared wallets into somebody's list, with the organizations they sign for. */
export async function addWallets(
  { wallets, hostedKeys, accounts }: Stores,
  prepared: readonly PreparedWallet[],
  { identityId, at }: { identityId: string; at: number },
): Promise<void> {
  for (const [index, { wallet, address, key, organizations }] of prepared.entries()) {
    const { name, type } = wallet
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
      const { address: accountAddress, type: authorization } = organization
      await accounts.add({ address: accountAddress, name: organization.name, created_at: at })
      await accounts.authorize({ walletAddress: address, accountAddress, type: authorization, at })
    }
  }
}

function withAddresses(
  organizations: readonly DemonstrationOrganization[],
  network: Network,
): Promise<PreparedWallet['organizations']> {
  return Promise.all(
    organizations.map(async (organization) => ({
      ...organization,
      address:
        organization.type === 'Group' ? GROUP_POLICY[network.prefix] : await anyAddress(network),
    })),
  )
}

async function anyAddress({ prefix }: Network): Promise<string> {
  const { addressOf } = await import('@portico/keys/address')
  const { publicKeyOf } = await import('@portico/keys/signature')
  return addressOf(publicKeyOf(randomBytes(32)), prefix)
}
