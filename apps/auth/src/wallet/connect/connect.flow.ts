import { flow, type Next } from '@portico/flow'
import type { Credentials } from '@portico/rules/chosen-credentials'
import type { ConnectedWallet } from '@portico/rules/connection-match'
import type { WalletWay } from '@portico/rules/wallet-app'
import { isDeclined } from '@portico/wallet-connect/protocol'

/** A code to scan, and the same as links: to copy, and to tap on a phone. */
export interface ConnectCode {
  readonly image: string
  readonly link: string
  readonly tapLink: string
}

/** How far an attempt has come. */
export type Progress =
  | { readonly is: 'preparing' }
  | { readonly is: 'waiting'; readonly code: ConnectCode }
  /** The extension is not in this browser. */
  | { readonly is: 'missing' }
  | { readonly is: 'failed'; readonly message: string }
  /** The user said no in the wallet. */
  | { readonly is: 'declined' }

/** Connecting one wallet (§4.8): by a code, the extension, or a hosted account whose window asks for a signature. */
export type State =
  | {
      step: 'connecting'
      /** Whom the wallet must connect as; any wallet will do where nobody is named. */
      wanted: Credentials | undefined
      way: WalletWay
      progress: Progress
    }
  | { step: 'connected'; wallet: ConnectedWallet }

/** What it hears. */
export type Event =
  | { type: 'wayChosen'; way: WalletWay }
  | { type: 'prepared'; way: WalletWay; code: ConnectCode }
  | { type: 'extensionMissing' }
  | { type: 'connected'; wallet: ConnectedWallet }
  | { type: 'mismatched'; wallet: ConnectedWallet }
  | { type: 'ended'; message: string | undefined }
  | { type: 'broke' }

/** What it has done. */
export type Command =
  | { type: 'watch' }
  | { type: 'open'; way: WalletWay; wanted: Credentials | undefined }
  | { type: 'handBack'; wallet: ConnectedWallet }

/** What it begins with. */
export type Input = { wanted: Credentials | undefined; way: WalletWay }

type Connecting = Extract<State, { step: 'connecting' }>

const PREPARING: Progress = { is: 'preparing' }
const SILENT = 'The connection ended before the wallet answered.'

const progressed = (state: Connecting, progress: Progress): Next<State, Command> => [
  { ...state, progress },
]

const handBack = (_: State, { wallet }: { wallet: ConnectedWallet }): Next<State, Command> => [
  { step: 'connected', wallet },
  { type: 'handBack', wallet },
]

/** The table of one connection. */
export const connect = flow<State, Event, Command, Input>({
  name: 'connect-wallet',
  begin: ({ wanted, way }) => [
    { step: 'connecting', wanted, way, progress: PREPARING },
    { type: 'watch' },
    { type: 'open', way, wanted },
  ],
  failed: { type: 'broke' },
  on: {
    connecting: {
      wayChosen: (state, { way }) => [
        { ...state, way, progress: PREPARING },
        { type: 'open', way, wanted: state.wanted },
      ],
      // The answer of a way that was left meanwhile changes nothing.
      prepared: (state, { way, code }) =>
        way === state.way ? progressed(state, { is: 'waiting', code }) : [state],
      extensionMissing: (state) =>
        state.way === 'extension' ? progressed(state, { is: 'missing' }) : [state],
      connected: handBack,
      // The screen above compares it with the wanted one, and returns to Select (§4.2, §4.8).
      mismatched: handBack,
      ended: (state, { message = SILENT }) =>
        progressed(state, isDeclined(message) ? { is: 'declined' } : { is: 'failed', message }),
      broke: (state) => progressed(state, { is: 'failed', message: SILENT }),
    },
    connected: {},
  },
})
