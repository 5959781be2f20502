import type { AccountListItem, AuthorizationType, WalletType } from '@portico/contracts/wallet'
import type { AccountChoice } from '@portico/rules/account-sections'
import { UNEXPECTED } from '@portico/shell/failure'
import type { Event, Input } from './wallet-modal.flow.ts'

/** An account with one authorized wallet. */
export function choice(
  authorizationType: AuthorizationType = 'Owner',
  type: WalletType = 'FIGURE',
): AccountChoice {
  const address = authorizationType === 'Owner' ? WALLET : ORGANIZATION
  return {
    account: { name: authorizationType === 'Owner' ? 'Everyday' : 'Birch Holdings', address },
    wallet: { address: WALLET, name: 'Olga', type, authorizationType, verified: true },
  }
}

export const WALLET = 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'
export const ORGANIZATION = 'tp1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygsvk2yur'

/** The choices in the format of the server's list. */
export function listed(...choices: readonly AccountChoice[]): AccountListItem[] {
  return choices.map(({ account, wallet }) => ({ account, authorizedWallets: [wallet] }))
}

export const inputs: readonly Input[] = [
  { section: 'Select' },
  { section: 'Select', error: 'missing-addr-claim' },
  { section: 'Connect', chosen: { walletAddress: WALLET } },
  { section: 'Connect', chosen: { walletAddress: 'tp1unattached' } },
  { section: 'Connect', chosen: { walletAddress: WALLET, groupPolicyAddress: 'tp1foreign' } },
  { section: 'Verify', walletAddress: WALLET },
  { section: 'Verify', walletAddress: undefined },
]

const own = choice()
const group = choice('Group')
const old = choice('Shared', 'PROVENANCE')
const wallet = { address: WALLET }
const otherWallet = { address: 'tp1otherwallet' }
const failure = UNEXPECTED

export const events: readonly Event[] = [
  { type: 'accountsRead', items: listed(own, group), wallet: undefined },
  { type: 'accountsRead', items: listed(own), wallet },
  { type: 'accountsRead', items: listed(own), wallet: otherWallet },
  { type: 'accountsRead', items: [], wallet: undefined },
  { type: 'accountsNotRead', failure },
  { type: 'accountChosen', choice: own },
  { type: 'accountChosen', choice: group },
  { type: 'selected', choice: own, wallet },
  { type: 'selected', choice: own, wallet: otherWallet },
  { type: 'selected', choice: group, wallet: undefined },
  { type: 'forbidden', choice: own, wallet: undefined },
  { type: 'forbidden', choice: group, wallet: otherWallet },
  { type: 'forbidden', choice: old, wallet: undefined },
  { type: 'refused', failure },
  { type: 'newWalletRequested' },
  { type: 'organizationRequested' },
  { type: 'conversionRequested' },
  { type: 'connected', wallet },
  { type: 'connected', wallet: otherWallet },
  { type: 'connected', wallet, selected: { walletAddress: WALLET } },
  { type: 'connected', wallet: { address: 'tp1unattached' } },
  { type: 'connected', wallet: { address: WALLET, group: 'tp1foreign' } },
  { type: 'verification', result: { kind: 'verified' } },
  { type: 'verification', result: { kind: 'mismatch', wallet: otherWallet } },
  { type: 'verification', result: { kind: 'alreadyAttached' } },
  { type: 'verification', result: { kind: 'failed', failure } },
  { type: 'retried' },
  { type: 'back' },
  { type: 'closed' },
]
