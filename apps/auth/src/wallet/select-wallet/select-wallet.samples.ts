import type { WalletAccount } from '@portico/contracts/wallet'
import { UNEXPECTED } from '@portico/shell/failure'
import type { Event, Input } from './select-wallet.flow.ts'

export const wallet: WalletAccount = {
  name: 'Everyday',
  address: 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh',
  type: 'FIGURE',
  verified: true,
}

export const inputs: readonly Input[] = [
  { chosen: undefined },
  { chosen: wallet.address },
  { chosen: 'tp1gone' },
]

const connected = { address: wallet.address }
const otherWallet = { address: 'tp1otherwallet' }

export const events: readonly Event[] = [
  { type: 'walletsRead', wallets: [wallet] },
  { type: 'walletsRead', wallets: [] },
  { type: 'walletsNotRead', failure: UNEXPECTED },
  { type: 'walletChosen', wallet },
  { type: 'selected', wallet, connected: undefined },
  { type: 'selected', wallet, connected },
  { type: 'selected', wallet, connected: otherWallet },
  { type: 'connected', connected },
  { type: 'connected', connected: otherWallet },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'retried' },
  { type: 'back' },
]
