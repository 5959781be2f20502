import type { WalletAccount } from '@portico/contracts/wallet'
import { flow, type Next } from '@portico/flow'
import { type ConnectedWallet, connectionMatch } from '@portico/rules/connection-match'
import { mismatchNotice } from '@portico/rules/wallet-mismatch'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** Choosing and connecting an account-owner wallet in the authentication flow (§4.8). */
export type State =
  | {
      step: 'Select'
      wallets: 'reading' | 'unavailable' | readonly WalletAccount[]
      /** The address of a preselected wallet, which is tried once. */
      wanted?: string | undefined
      choosing?: WalletAccount | undefined
      failure?: Failure | undefined
    }
  | { step: 'Connect'; wallet: WalletAccount }
  | { step: 'leaving' }

/** `connected` is the wallet connected at that moment. */
export type Event =
  | { type: 'walletsRead'; wallets: readonly WalletAccount[] }
  | { type: 'walletsNotRead'; failure: Failure }
  | { type: 'walletChosen'; wallet: WalletAccount }
  | { type: 'selected'; wallet: WalletAccount; connected: ConnectedWallet | undefined }
  | { type: 'connected'; connected: ConnectedWallet }
  | { type: 'refused'; failure: Failure }
  | { type: 'retried' }
  | { type: 'back' }

export type Command =
  | { type: 'readWallets' }
  | { type: 'selectAccount'; wallet: WalletAccount }
  | { type: 'disconnect' }
  | { type: 'createWallet' }
  | { type: 'runGatekeeper' }

/** `chosen` is the address of a preselected wallet, such as one just created. */
export type Input = { chosen: string | undefined }

type Transition = Next<State, Command>
type Selecting = Extract<State, { step: 'Select' }>

const select = (failure?: Failure): Transition => [
  { step: 'Select', wallets: 'reading', ...(failure && { failure }) },
  { type: 'readWallets' },
]

const choose = ({ wallets }: Selecting, wallet: WalletAccount): Transition => [
  { step: 'Select', wallets, choosing: wallet },
  { type: 'selectAccount', wallet },
]

const LEAVE: Transition = [{ step: 'leaving' }, { type: 'runGatekeeper' }]

export const selectWallet = flow<State, Event, Command, Input>({
  name: 'select-wallet',
  begin: ({ chosen }) => [
    { step: 'Select', wallets: 'reading', wanted: chosen },
    { type: 'readWallets' },
  ],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    Select: {
      walletsRead: ({ wanted, ...state }, { wallets }) => {
        if (wallets.length === 0) return [{ step: 'leaving' }, { type: 'createWallet' }]
        const listed = { ...state, wallets }
        const wallet = wallets.find(({ address }) => address === wanted)
        return wallet === undefined ? [listed] : choose(listed, wallet)
      },
      walletsNotRead: (_, { failure }) => [{ step: 'Select', wallets: 'unavailable', failure }],
      walletChosen: (state, { wallet }) =>
        state.choosing === undefined ? choose(state, wallet) : [state],
      selected: (_, { wallet, connected }) => {
        switch (connectionMatch(connected, { walletAddress: wallet.address })) {
          case 'matches':
            return LEAVE
          case 'mismatch':
            return [{ step: 'Connect', wallet }, { type: 'disconnect' }]
          case 'missing':
            return [{ step: 'Connect', wallet }]
        }
      },
      refused: ({ wallets }, { failure }) =>
        wallets === 'reading' ? select(failure) : [{ step: 'Select', wallets, failure }],
      retried: () => select(),
    },
    Connect: {
      connected: ({ wallet }, { connected }) => {
        if (connectionMatch(connected, { walletAddress: wallet.address }) === 'matches') {
          return LEAVE
        }
        const notices = [mismatchNotice(wallet, connected), 'Please choose again.']
        const [selecting, ...commands] = select({ notices })
        return [selecting, { type: 'disconnect' }, ...commands]
      },
      refused: (_, { failure }) => select(failure),
      back: () => select(),
    },
    leaving: {
      refused: (_, { failure }) => select(failure),
    },
  },
})
