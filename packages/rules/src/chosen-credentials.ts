import type { AccountChoice } from './account-sections.ts'

/** Whom a token is asked for (§3, credentials chosen). */
export interface Credentials {
  readonly walletAddress: string
  readonly groupPolicyAddress?: string
}

/** What a wallet is required to connect as (§4.1, wallet-connection options), so that it is these credentials' and no other. */
export function requiredAccount({ walletAddress, groupPolicyAddress }: Credentials) {
  return groupPolicyAddress === undefined
    ? { individualAddress: walletAddress, prohibitGroups: true }
    : { individualAddress: walletAddress, groupAddress: groupPolicyAddress }
}

/** The credentials of a choice (§6): the wallet's address, and for Group also the group policy's. */
export function chosenCredentials({ account, wallet }: AccountChoice): Credentials {
  return wallet.authorizationType === 'Group'
    ? { walletAddress: wallet.address, groupPolicyAddress: account.address }
    : { walletAddress: wallet.address }
}
