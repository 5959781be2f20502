import type { ApprovalResult } from '@portico/contracts/hosted-wallet'
import { flow, type Next } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'
import type { ConnectionState } from '../connection-state.ts'
import type { KeeperAccount } from '../key-keeper.ts'

/** The wallet from its opening to its closing. */
export type State =
  | { step: 'loading' }
  /** Nobody is signed in; a login in another window goes on here. */
  | { step: 'signedOut' }
  /** Nothing is shown or signed before the person has proven again who they are. */
  | { step: 'locked' }
  | { step: 'stopped'; failure: Failure }
  /** The first account is still to be made; a page that waits goes on waiting. */
  | { step: 'empty' }
  | {
      step: 'open'
      accounts: readonly KeeperAccount[]
      connection: ConnectionState
      failure?: Failure | undefined
    }
  | { step: 'leaving' }

/** What the wallet is opened with. */
export interface Input {
  readonly signedIn: boolean
}

/** What the wallet hears. */
export type Event =
  | { type: 'signedIn' }
  | { type: 'signedOut' }
  | { type: 'locked' }
  | { type: 'unlocked' }
  | { type: 'accountsRead'; accounts: readonly KeeperAccount[] }
  | { type: 'refused'; failure: Failure }
  | { type: 'retried' }
  | { type: 'accountsChanged' }
  | { type: 'connectionChanged'; connection: ConnectionState }
  | { type: 'answered'; questionId: number; result: ApprovalResult | undefined }
  | { type: 'disconnectAsked' }
  | { type: 'rested' }
  | { type: 'logInAsked' }
  | { type: 'closed' }
  | { type: 'replaced' }

/** What the wallet has done. */
export type Command =
  | { type: 'readAccounts' }
  | { type: 'watchSignIn' }
  | { type: 'watchSignOut' }
  | { type: 'watchFrames' }
  | { type: 'watchIdle' }
  | { type: 'logIn' }
  | { type: 'serve'; accounts: readonly KeeperAccount[] }
  | { type: 'answer'; questionId: number; result: ApprovalResult | undefined }
  | { type: 'disconnect' }
  | { type: 'showItself' }
  | { type: 'rest' }
  | { type: 'close' }

const load = (): Next<State, Command> => [
  { step: 'loading' },
  { type: 'watchFrames' },
  { type: 'readAccounts' },
]

const signedOut = (): Next<State, Command> => [
  { step: 'signedOut' },
  { type: 'watchFrames' },
  { type: 'watchSignIn' },
]

const locked = (): Next<State, Command> => [
  { step: 'locked' },
  { type: 'watchFrames' },
  { type: 'watchSignOut' },
]

const stop = (failure: Failure): Next<State, Command> => [
  { step: 'stopped', failure },
  { type: 'watchFrames' },
]

const leave = (): Next<State, Command> => [{ step: 'leaving' }, { type: 'close' }]

/** A newer frame answers from now on; so does one that the person closes. */
const leaving = { closed: leave, replaced: leave }

/** The table of the wallet. */
export const wallet = flow<State, Event, Command, Input>({
  name: 'hosted-wallet',
  begin: ({ signedIn }) => (signedIn ? load() : signedOut()),
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    loading: {
      ...leaving,
      accountsRead: (_, { accounts }) =>
        accounts.length === 0
          ? [{ step: 'empty' }, { type: 'watchFrames' }, { type: 'watchIdle' }]
          : [
              { step: 'open', accounts, connection: { step: 'joining' } },
              { type: 'watchFrames' },
              { type: 'watchIdle' },
              { type: 'serve', accounts },
            ],
      signedOut,
      locked,
      refused: (_, { failure }) => stop(failure),
    },
    locked: {
      ...leaving,
      unlocked: load,
      signedOut,
      logInAsked: (state) => [state, { type: 'logIn' }],
    },
    signedOut: {
      ...leaving,
      signedIn: load,
      logInAsked: (state) => [state, { type: 'logIn' }],
    },
    stopped: { ...leaving, retried: load },
    empty: {
      ...leaving,
      accountsChanged: load,
      signedOut,
      locked,
      logInAsked: (state) => [state, { type: 'logIn' }],
    },
    open: {
      ...leaving,
      connectionChanged: (state, { connection }) => [
        { ...state, connection },
        ...(connection.step === 'asking' ? [{ type: 'showItself' } as const] : []),
        ...(isDone(connection) ? [{ type: 'rest' } as const] : []),
      ],
      answered: (state, { questionId, result }) => [state, { type: 'answer', questionId, result }],
      disconnectAsked: (state) => [state, { type: 'disconnect' }],
      // What is being asked now stays: the page may ask twice in a row.
      rested: (state) => (isDone(state.connection) ? leave() : [state]),
      accountsChanged: (state) => [state, { type: 'readAccounts' }],
      accountsRead: (state, { accounts }) => [{ ...state, accounts, failure: undefined }],
      // What could not even be opened is opened anew; a list that could not be read anew stays as it was.
      refused: (state, { failure }) =>
        state.connection.step === 'joining' ? stop(failure) : [{ ...state, failure }],
      signedOut,
      locked,
      logInAsked: (state) => [state, { type: 'logIn' }],
    },
    leaving: {},
  },
})

/** Whether there is nothing left to do here: the person has decided, or the page said goodbye. */
function isDone(connection: ConnectionState): boolean {
  switch (connection.step) {
    case 'connected':
      return connection.decided !== undefined
    case 'over':
      return connection.decided !== undefined || connection.how === 'ended-by-page'
    case 'none':
    case 'joining':
    case 'asking':
      return false
  }
}
