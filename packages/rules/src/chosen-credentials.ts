import type { AccountChoice } from './account-sections.ts'

/** The account that a token is requested for (§3, credentials chosen). */
export interface Credentials {
  readonly walletAddress: string
  readonly groupPolicyAddress?: string
}

/** The wallet-connection options (§4.1) that require the wallet to connect with exactly these credentials. */
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
