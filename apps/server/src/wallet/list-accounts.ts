import { Refusal } from '@portico/contracts/errors'
import type {
  AccountAccess,
  AccountListItem,
  AuthorizationType,
  WalletAccount,
} from '@portico/contracts/wallet'
import type { OpenSession } from '../sessions/sessions.ts'
import type { Stores } from '../stores.ts'
import type { Memberships } from './organization/memberships.ts'
import type { WalletRow } from './wallets.store.ts'

/** Reads the accounts that a user may act as. */
export function accountReader({
  stores,
  memberships,
}: {
  readonly stores: Pick<Stores, 'accounts' | 'wallets'>
  readonly memberships: Pick<Memberships, 'refreshIdentity'>
}) {
  /**
   * Individual accounts first, each with its own wallet, then organizations with the wallets that sign for them (§3,
   * §6).
   */
  async function list({ identityId }: OpenSession): Promise<AccountListItem[]> {
    await memberships.refreshIdentity(identityId)
    const [wallets, authorizations] = await Promise.all([
      stores.wallets.listByIdentity(identityId),
      stores.accounts.listByIdentity(identityId),
    ])
    const individual = wallets.map((wallet) => ({
      account: { name: wallet.name, address: wallet.address },
      authorizedWallets: [authorizedWallet(wallet, 'Owner')],
    }))
    const byAddress = new Map(wallets.map((wallet) => [wallet.address, wallet]))
    const organizational = [...Map.groupBy(authorizations, ({ address }) => address)].map(
      ([address, rows]) => ({
        account: { name: rows[0]?.name ?? '', address },
        authorizedWallets: rows.flatMap(({ walletAddress, type }) => {
          const wallet = byAddress.get(walletAddress)
          return wallet ? [authorizedWallet(wallet, type)] : []
        }),
      }),
    )
    return [...individual, ...organizational]
  }

  return {
    list,

    async wallets({ identityId }: OpenSession): Promise<WalletAccount[]> {
      const wallets = await stores.wallets.listByIdentity(identityId)
      return wallets.map((wallet) => ({
        name: wallet.name,
        address: wallet.address,
        type: wallet.type,
        verified: wallet.verifiedAt !== null,
      }))
    },

    /** The principal's account, else the chosen one, else that of the default wallet. */
    async access(principal: string | undefined, session: OpenSession): Promise<AccountAccess> {
      const { groupPolicyAddress, walletAddress } = session.chosen ?? {}
      const address =
        principal ?? groupPolicyAddress ?? walletAddress ?? (await defaultWallet(session))
      if (address === undefined) throw new Refusal('account-not-chosen')
      const found = (await list(session)).find(({ account }) => account.address === address)
      const signing =
        found?.authorizedWallets.find((wallet) => wallet.address === walletAddress) ??
        found?.authorizedWallets.find(({ verified }) => verified)
      if (found === undefined || !signing?.verified) throw new Refusal('account-not-authorized')
      return { authorizedWallet: signing, account: found.account }
    },
  }

  async function defaultWallet({ identityId }: OpenSession): Promise<string | undefined> {
    const wallets = await stores.wallets.listByIdentity(identityId)
    const chosen = wallets.filter(({ defaultAt }) => defaultAt !== null)
    return chosen.toSorted((a, b) => (b.defaultAt ?? 0) - (a.defaultAt ?? 0))[0]?.address
  }
}

function authorizedWallet(wallet: WalletRow, authorizationType: AuthorizationType) {
  return {
    address: wallet.address,
    name: wallet.name,
    type: wallet.type,
    authorizationType,
    verified: wallet.verifiedAt !== null,
  }
}
