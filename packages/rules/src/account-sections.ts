import type { AccountListItem } from '@portico/contracts/wallet'

/** An account with the wallet that would sign for it: one choice in the account list. */
export interface AccountChoice {
  readonly account: AccountListItem['account']
  readonly wallet: AccountListItem['authorizedWallets'][number]
}

/** The two sections of the account list (§2.7). */
export interface AccountSections {
  readonly individual: readonly AccountChoice[]
  readonly organizational: readonly AccountChoice[]
}

/** Sorts the accounts (§6): Owner is individual; RBAC, Shared and Group are organizational. */
export function accountSections(items: readonly AccountListItem[]): AccountSections {
  const choices = items.flatMap(({ account, authorizedWallets }) =>
    authorizedWallets.map((wallet) => ({ account, wallet })),
  )
  return {
    individual: choices.filter(({ wallet }) => wallet.authorizationType === 'Owner'),
    organizational: choices.filter(({ wallet }) => wallet.authorizationType !== 'Owner'),
  }
}

/** The signing text of an item (§2.7): owner wallets show 'Owner', others 'Signing as {name}'. */
export function signerText({ wallet }: Pick<AccountChoice, 'wallet'>): string {
  return wallet.authorizationType === 'Owner' ? 'Owner' : `Signing as ${wallet.name}`
}
