import { flow, type Next } from '@portico/flow'
import type { Credentials } from '@portico/rules/chosen-credentials'
import type { ConnectedWallet } from '@portico/rules/connection-match'
import type { WalletKind } from '@portico/rules/wallet-app'
import { isDeclined } from '@portico/wallet-connect/protocol'

/** A pairing code as a QR image, a link to copy, and a link to tap on a phone. */
export interface ConnectCode {
  readonly image: string
  readonly link: string
  readonly tapLink: string
}

/** The progress of a connection attempt. */
export type Progress =
  | { readonly is: 'preparing' }
  | { readonly is: 'waiting'; readonly code: ConnectCode }
  /** The extension is not installed in this browser. */
  | { readonly is: 'missing' }
  | { readonly is: 'failed'; readonly message: string }
  /** The user declined in the wallet. */
  | { readonly is: 'declined' }

/** Connecting one wallet (§4.8): by QR code, the extension, or the hosted wallet's window. */
export type State =
  | {
      step: 'connecting'
      /** The account that must connect; undefined accepts any wallet. */
      wanted: Credentials | undefined
      walletKind: WalletKind
      progress: Progress
    }
  | { step: 'connected'; wallet: ConnectedWallet }

export type Event =
  | { type: 'walletKindChosen'; walletKind: WalletKind }
  | { type: 'prepared'; walletKind: WalletKind; code: ConnectCode }
  | { type: 'extensionMissing' }
  | { type: 'connected'; wallet: ConnectedWallet }
  | { type: 'mismatched'; wallet: ConnectedWallet }
  | { type: 'ended'; message: string | undefined }
  | { type: 'serviceFailed' }

export type Command =
  | { type: 'watch' }
  | { type: 'open'; walletKind: WalletKind; wanted: Credentials | undefined }
  | { type: 'returnResult'; wallet: ConnectedWallet; walletKind: WalletKind }

export type Input = { wanted: Credentials | undefined; walletKind: WalletKind }

type Connecting = Extract<State, { step: 'connecting' }>

const PREPARING: Progress = { is: 'preparing' }
const NO_RESPONSE = 'The connection ended before the wallet responded.'

const withProgress = (state: Connecting, progress: Progress): Next<State, Command> => [
  { ...state, progress },
]

const returnResult = (
  { walletKind }: Connecting,
  { wallet }: { wallet: ConnectedWallet },
): Next<State, Command> => [
  { step: 'connected', wallet },
  { type: 'returnResult', wallet, walletKind },
]

export const connect = flow<State, Event, Command, Input>({
  name: 'connect-wallet',
  begin: ({ wanted, walletKind }) => [
    { step: 'connecting', wanted, walletKind, progress: PREPARING },
    { type: 'watch' },
    { type: 'open', walletKind, wanted },
  ],
  failed: { type: 'serviceFailed' },
  on: {
    connecting: {
      walletKindChosen: (state, { walletKind }) => [
        { ...state, walletKind, progress: PREPARING },
        { type: 'open', walletKind, wanted: state.wanted },
      ],
      // Ignore a result for a method that is no longer selected.
      prepared: (state, { walletKind, code }) =>
        walletKind === state.walletKind ? withProgress(state, { is: 'waiting', code }) : [state],
      extensionMissing: (state) =>
        state.walletKind === 'extension' ? withProgress(state, { is: 'missing' }) : [state],
      connected: returnResult,
      // The parent screen compares the wallet with the wanted account and returns to Select (§4.2, §4.8).
      mismatched: returnResult,
      ended: (state, { message = NO_RESPONSE }) =>
        withProgress(state, isDeclined(message) ? { is: 'declined' } : { is: 'failed', message }),
      serviceFailed: (state) => withProgress(state, { is: 'failed', message: NO_RESPONSE }),
    },
    connected: {},
  },
})
