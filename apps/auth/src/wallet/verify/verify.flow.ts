import { flow, type Next } from '@portico/flow'
import type { Credentials } from '@portico/rules/chosen-credentials'
import { type ConnectedWallet, connectionMatch } from '@portico/rules/connection-match'
import type { WalletKind } from '@portico/rules/wallet-app'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** Proving ownership of a wallet (§4.2, verify flow steps). */
export type State =
  | { step: 'CONNECT_NEW'; wanted: Credentials | undefined; walletKind: WalletKind | undefined }
  | { step: 'GET_NONCE' }
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
  | { type: 'connectClosed' }
  | { type: 'connected'; wallet: ConnectedWallet }
  | { type: 'signed'; signedNonceHex: string }
  | { type: 'attached' }
  | { type: 'alreadyAttached' }
  | { type: 'refused'; failure: Failure }

export type Command =
  | { type: 'signNonce' }
  | { type: 'attach'; signedNonceHex: string }
  | { type: 'disconnect' }
  | { type: 'returnResult'; result: Result }

/** The account that must connect, and whether its wallet is already connected. */
export type Input = { wanted: Credentials | undefined; connected: boolean }

const nonce: Next<State, Command> = [{ step: 'GET_NONCE' }, { type: 'signNonce' }]

const fail = (result: Result): Next<State, Command> => [
  { step: 'ERROR' },
  { type: 'disconnect' },
  { type: 'returnResult', result },
]

const refused = (_: State, { failure }: { failure: Failure }) => fail({ kind: 'failed', failure })

export const verify = flow<State, Event, Command, Input>({
  name: 'verify-wallet',
  begin: ({ wanted, connected }) =>
    connected ? nonce : [{ step: 'CONNECT_NEW', wanted, walletKind: undefined }],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    CONNECT_NEW: {
      walletKindChosen: (state, { walletKind }) => [{ ...state, walletKind }],
      connectClosed: (state) => [{ ...state, walletKind: undefined }],
      connected: ({ wanted }, { wallet }) =>
        wanted === undefined || connectionMatch(wallet, wanted) === 'matches'
          ? nonce
          : fail({ kind: 'mismatch', wallet }),
      refused,
    },
    GET_NONCE: {
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
