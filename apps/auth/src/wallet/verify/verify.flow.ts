import { flow, type Next } from '@portico/flow'
import type { Credentials } from '@portico/rules/chosen-credentials'
import { type ConnectedWallet, connectionMatch } from '@portico/rules/connection-match'
import type { WalletWay } from '@portico/rules/wallet-app'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** Proving that a wallet is one's own (§4.2, verify flow steps). */
export type State =
  | { step: 'CONNECT_NEW'; wanted: Credentials | undefined; way: WalletWay | undefined }
  | { step: 'GET_NONCE' }
  | { step: 'ATTACH'; signedNonceHex: string }
  | { step: 'SUCCESS' }
  | { step: 'ERROR' }

/** What the wallet modal hears of it. */
export type Result =
  | { kind: 'verified' }
  /** The wallet belongs to another identity (§8). */
  | { kind: 'alreadyAttached' }
  /** Another wallet than the wanted one connected; it is disconnected. */
  | { kind: 'mismatch'; wallet: ConnectedWallet }
  | { kind: 'failed'; failure: Failure }

/** What it hears. */
export type Event =
  | { type: 'wayChosen'; way: WalletWay }
  | { type: 'wayLeft' }
  | { type: 'connected'; wallet: ConnectedWallet }
  | { type: 'signed'; signedNonceHex: string }
  | { type: 'attached' }
  | { type: 'alreadyAttached' }
  | { type: 'refused'; failure: Failure }

/** What it has done. */
export type Command =
  | { type: 'signNonce' }
  | { type: 'attach'; signedNonceHex: string }
  | { type: 'disconnect' }
  | { type: 'handBack'; result: Result }

/** What it begins with: whom the wallet must connect as, and whether that wallet is connected already. */
export type Input = { wanted: Credentials | undefined; connected: boolean }

const nonce: Next<State, Command> = [{ step: 'GET_NONCE' }, { type: 'signNonce' }]

const fail = (result: Result): Next<State, Command> => [
  { step: 'ERROR' },
  { type: 'disconnect' },
  { type: 'handBack', result },
]

const refused = (_: State, { failure }: { failure: Failure }) => fail({ kind: 'failed', failure })

/** The table of the verification. */
export const verify = flow<State, Event, Command, Input>({
  name: 'verify-wallet',
  begin: ({ wanted, connected }) =>
    connected ? nonce : [{ step: 'CONNECT_NEW', wanted, way: undefined }],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    CONNECT_NEW: {
      wayChosen: (state, { way }) => [{ ...state, way }],
      wayLeft: (state) => [{ ...state, way: undefined }],
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
      attached: () => [{ step: 'SUCCESS' }, { type: 'handBack', result: { kind: 'verified' } }],
      alreadyAttached: () => fail({ kind: 'alreadyAttached' }),
      refused,
    },
    SUCCESS: {},
    ERROR: {},
  },
})
