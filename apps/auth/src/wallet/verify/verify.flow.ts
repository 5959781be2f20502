import { flow, type Next } from '@portico/flow'
import type { Credentials } from '@portico/rules/chosen-credentials'
import { type ConnectedWallet, connectionMatch } from '@portico/rules/connection-match'
import type { WalletKind } from '@portico/rules/wallet-app'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** Proving ownership of a wallet (§4.2, verify flow steps). */
export type State =
  | { step: 'CONNECT_NEW'; wanted: Credentials | undefined; walletKind: WalletKind | undefined }
  | { step: 'GET_NONCE'; wanted: Credentials | undefined }
  | { step: 'ATTACH'; signedNonceHex: string }
  | { step: 'SUCCESS' }
  | { step: 'ERROR' }

export type Result =
  | { kind: 'verified' }
  /** The wallet belongs to another identity (§8). */
  | { kind: 'alreadyAttached' }
  /** A wallet other than the wanted one connected; it has been disconnected. */
  | { kind: 'mismatch'; wallet: ConnectedWallet }
  | { kind: 'failed'; failure: Failure }

export type Event =
  | { type: 'walletKindChosen'; walletKind: WalletKind }
  /** No wallet is connected, so that a new one can be. */
  | { type: 'connectionEnded'; walletKind: WalletKind }
  | { type: 'connectClosed' }
  | { type: 'connected'; wallet: ConnectedWallet }
  | { type: 'signed'; signedNonceHex: string }
  /** The wallet shows no request: it may have ended a connection that this page still has. */
  | { type: 'reconnectRequested' }
  | { type: 'attached' }
  | { type: 'alreadyAttached' }
  | { type: 'refused'; failure: Failure }

export type Command =
  | { type: 'signNonce' }
  /** Ends the present connection, which would be verified again. */
  | { type: 'endConnection'; walletKind: WalletKind }
  | { type: 'attach'; signedNonceHex: string }
  | { type: 'disconnect' }
  | { type: 'returnResult'; result: Result }

/** The account that must connect, and whether its wallet is already connected. */
export type Input = { wanted: Credentials | undefined; connected: boolean }

const nonce = (wanted: Credentials | undefined): Next<State, Command> => [
  { step: 'GET_NONCE', wanted },
  { type: 'signNonce' },
]

const fail = (result: Result): Next<State, Command> => [
  { step: 'ERROR' },
  { type: 'disconnect' },
  { type: 'returnResult', result },
]

const refused = (_: State, { failure }: { failure: Failure }) => fail({ kind: 'failed', failure })

export const verify = flow<State, Event, Command, Input>({
  name: 'verify-wallet',
  begin: ({ wanted, connected }) =>
    connected ? nonce(wanted) : [{ step: 'CONNECT_NEW', wanted, walletKind: undefined }],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    CONNECT_NEW: {
      // The present connection lasts until the user has chosen how to connect the new wallet: they may still go back.
      walletKindChosen: (state, { walletKind }) =>
        state.wanted === undefined
          ? [
              { ...state, walletKind: undefined },
              { type: 'endConnection', walletKind },
            ]
          : [{ ...state, walletKind }],
      connectionEnded: (state, { walletKind }) => [{ ...state, walletKind }],
      connectClosed: (state) => [{ ...state, walletKind: undefined }],
      connected: ({ wanted }, { wallet }) =>
        wanted === undefined || connectionMatch(wallet, wanted) === 'matches'
          ? nonce(wanted)
          : fail({ kind: 'mismatch', wallet }),
      refused,
    },
    GET_NONCE: {
      reconnectRequested: ({ wanted }) => [
        { step: 'CONNECT_NEW', wanted, walletKind: undefined },
        { type: 'disconnect' },
      ],
      signed: (_, { signedNonceHex }) => [
        { step: 'ATTACH', signedNonceHex },
        { type: 'attach', signedNonceHex },
      ],
      refused,
    },
    ATTACH: {
      attached: () => [{ step: 'SUCCESS' }, { type: 'returnResult', result: { kind: 'verified' } }],
      alreadyAttached: () => fail({ kind: 'alreadyAttached' }),
      refused,
    },
    SUCCESS: {},
    ERROR: {},
  },
})
