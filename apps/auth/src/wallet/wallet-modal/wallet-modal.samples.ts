import type { AccountListItem, AuthorizationType, WalletType } from '@portico/contracts/wallet'
import type { AccountChoice } from '@portico/rules/account-sections'
import { UNEXPECTED } from '@portico/shell/failure'
import type { Event, Input } from './wallet-modal.flow.ts'

/** An account with one wallet that signs for it. */
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

/** The wallet of the samples. */
export const WALLET = 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'
/** The organization it signs for. */
export const ORGANIZATION = 'tp1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygsvk2yur'

/** The choices as the server lists them. */
export function listed(...choices: readonly AccountChoice[]): AccountListItem[] {
  return choices.map(({ account, wallet }) => ({ account, authorizedWallets: [wallet] }))
}

/** What the modal may begin with. */
export const inputs: readonly Input[] = [
  { section: 'Select' },
  { section: 'Select', fault: 'missing-addr-claim' },
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
const stranger = { address: 'tp1somebodyelse' }
const failure = UNEXPECTED

/** What the modal may hear, each kind in each flavor that leads elsewhere. */
export const events: readonly Event[] = [
  { type: 'accountsRead', items: listed(own, group), wallet: undefined },
  { type: 'accountsRead', items: listed(own), wallet },
  { type: 'accountsRead', items: listed(own), wallet: stranger },
  { type: 'accountsRead', items: [], wallet: undefined },
  { type: 'accountsNotRead', failure },
  { type: 'accountChosen', choice: own },
  { type: 'accountChosen', choice: group },
  { type: 'selected', choice: own, wallet },
  { type: 'selected', choice: own, wallet: stranger },
  { type: 'selected', choice: group, wallet: undefined },
  { type: 'forbidden', choice: own, wallet: undefined },
  { type: 'forbidden', choice: group, wallet: stranger },
  { type: 'forbidden', choice: old, wallet: undefined },
  { type: 'refused', failure },
  { type: 'newWalletAsked' },
  { type: 'organizationAsked' },
  { type: 'conversionAsked' },
  { type: 'connected', wallet },
  { type: 'connected', wallet: stranger },
  { type: 'connected', wallet, selected: { walletAddress: WALLET } },
  { type: 'connected', wallet: { address: 'tp1unattached' } },
  { type: 'connected', wallet: { address: WALLET, group: 'tp1foreign' } },
  { type: 'verification', result: { kind: 'verified' } },
  { type: 'verification', result: { kind: 'mismatch', wallet: stranger } },
  { type: 'verification', result: { kind: 'alreadyAttached' } },
  { type: 'verification', result: { kind: 'failed', failure } },
  { type: 'retried' },
  { type: 'back' },
  { type: 'closed' },
]
