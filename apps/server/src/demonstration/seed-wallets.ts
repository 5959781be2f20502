import { randomBytes } from 'node:crypto'
import type { Vault } from '../secrets/vault.ts'
import { makeWalletKey, type Network, type WrappedWalletKey } from '../secrets/wallet-key.ts'
import type { Stores } from '../stores.ts'
import type { DemonstrationOrganization, DemonstrationWallet } from './people.ts'

/** The address that a chain derives for the policy of its first group. It belongs to no key. */
const GROUP_POLICY: Readonly<Record<Network['prefix'], string>> = {
  pb: 'pb1afk9zr2hn2jsac63h4hm60vl9z3e5u69gndzf7c99cqge3vzwjzsk2zpj4',
  tp: 'tp1afk9zr2hn2jsac63h4hm60vl9z3e5u69gndzf7c99cqge3vzwjzserjkkf',
}

/** A wallet with its address, and with its key if hosted. */
interface PreparedWallet {
  readonly wallet: DemonstrationWallet
  readonly address: string
  readonly key: WrappedWalletKey | undefined
  /** The organizations it signs for, with their account addresses. */
  readonly organizations: readonly (DemonstrationOrganization & { readonly address: string })[]
}

/** Creates the keys of an account's wallets. It takes long, so it runs before the transaction. */
export function prepareWallets(
  wallets: readonly DemonstrationWallet[] = [],
  { vault, network }: { readonly vault: Vault; readonly network: Network },
): Promise<PreparedWallet[]> {
  return Promise.all(
    wallets.map(async (wallet) => {
      const organizations = await withAddresses(wallet.organizations ?? [], network)
      // An old wallet is converted, not used: it needs no key.
      if (wallet.type === 'PROVENANCE') {
        return { wallet, organizations, address: await randomAddress(network), key: undefined }
      }
      const words = wallet.type === 'SELF_CUSTODY' ? wallet.words : undefined
      const key = await makeWalletKey(vault, network, words)
      const hostedKey = wallet.type === 'FIGURE' ? key : undefined
      return { wallet, organizations, address: key.address, key: hostedKey }
    }),
  )
}

/** Stores prepared wallets and the organizations they sign for. */
export async function addWallets(
  { wallets, hostedKeys, accounts }: Stores,
  prepared: readonly PreparedWallet[],
  { identityId, at }: { identityId: string; at: number },
): Promise<void> {
  for (const [index, { wallet, address, key, organizations }] of prepared.entries()) {
    const { name, type } = wallet
    await wallets.insert({
      identityId,
      address,
      name,
      type,
      defaultAt: null,
      convertedAt: null,
      createdAt: at + index,
    })
    if (type !== 'SELF_CUSTODY') await wallets.insertHolder(address, identityId, at)
    if (key !== undefined) {
      const { publicKey, wrapped } = key
      await hostedKeys.insert({ address, publicKey, wrapped, createdAt: at })
    }
    for (const organization of organizations) {
      const { address: accountAddress, type: authorization } = organization
      await accounts.insert({ address: accountAddress, name: organization.name, createdAt: at })
      await accounts.insertAuthorization({
        walletAddress: address,
        accountAddress,
        type: authorization,
        at,
      })
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
        organization.type === 'Group' ? GROUP_POLICY[network.prefix] : await randomAddress(network),
    })),
  )
}

async function randomAddress({ prefix }: Network): Promise<string> {
  const { addressOf } = await import('@portico/keys/address')
  const { publicKeyOf } = await import('@portico/keys/signature')
  return addressOf(publicKeyOf(randomBytes(32)), prefix)
}
