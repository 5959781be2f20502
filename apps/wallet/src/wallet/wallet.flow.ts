import { flow, type Next } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'
import type { PromptAnswer } from '@portico/wallet-kit/approval-prompt'
import type { WalletAccount } from '@portico/wallet-kit/key-keeper'
import type { ConnectionState } from '../connection-state.ts'

/** The states of the wallet. */
export type State =
  | { step: 'loading' }
  /** No user is signed in; after a login in another window the wallet continues. */
  | { step: 'signedOut' }
  /** Accounts and signing are unavailable until the user confirms their identity. */
  | { step: 'locked' }
  | { step: 'stopped'; failure: Failure }
  /** There is no account yet; a page that requested a connection keeps waiting. */
  | { step: 'empty' }
  | {
      step: 'open'
      accounts: readonly WalletAccount[]
      connection: ConnectionState
      failure?: Failure | undefined
      /**
       * Locked while the page waits for the votes on a proposal, which are followed without a key: everything else is hidden until
       * the user confirms their identity.
       */
      isLocked?: boolean
    }
  | { step: 'leaving' }

export interface Input {
  readonly signedIn: boolean
}

export type Event =
  | { type: 'signedIn' }
  | { type: 'signedOut' }
  | { type: 'locked' }
  | { type: 'unlocked' }
  | { type: 'accountsRead'; accounts: readonly WalletAccount[] }
  | { type: 'refused'; failure: Failure }
  | { type: 'retried' }
  | { type: 'accountsChanged' }
  | { type: 'connectionChanged'; connection: ConnectionState }
  | { type: 'answered'; promptId: string; result: PromptAnswer }
  | { type: 'disconnectRequested' }
  | { type: 'closeDelayPassed' }
  | { type: 'logInRequested' }
  | { type: 'closed' }
  | { type: 'replaced' }

export type Command =
  | { type: 'readAccounts' }
  | { type: 'watchSignIn' }
  | { type: 'watchSignOut' }
  | { type: 'watchFrames' }
  | { type: 'watchIdle' }
  | { type: 'logIn' }
  | { type: 'serve'; accounts: readonly WalletAccount[] }
  | { type: 'answer'; promptId: string; result: PromptAnswer }
  | { type: 'disconnect' }
  | { type: 'restoreFrame' }
  | { type: 'minimizeFrame' }
  | { type: 'delayClose' }
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

/** The user closed the wallet, or a newer frame replaces it. */
const leaving = { closed: leave, replaced: leave }

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
      logInRequested: (state) => [state, { type: 'logIn' }],
    },
    signedOut: {
      ...leaving,
      signedIn: load,
      logInRequested: (state) => [state, { type: 'logIn' }],
    },
    stopped: { ...leaving, retried: load },
    empty: {
      ...leaving,
      accountsChanged: load,
      signedOut,
      locked,
      logInRequested: (state) => [state, { type: 'logIn' }],
    },
    open: {
      ...leaving,
      connectionChanged: (state, { connection }) => [
        { ...state, connection },
        ...(connection.step === 'asking' ? [{ type: 'restoreFrame' } as const] : []),
        ...(isDone(connection) || isAwaitingVotes(connection)
          ? [{ type: 'delayClose' } as const]
          : []),
      ],
      answered: (state, { promptId, result }) => [state, { type: 'answer', promptId, result }],
      disconnectRequested: (state) => [state, { type: 'disconnect' }],
      // Stays open if the page has sent another request in the meantime, and minimized while the page waits for votes.
      closeDelayPassed: (state) => {
        if (isDone(state.connection)) return leave()
        return isAwaitingVotes(state.connection) ? [state, { type: 'minimizeFrame' }] : [state]
      },
      accountsChanged: (state) => [state, { type: 'readAccounts' }],
      accountsRead: (state, { accounts }) => [{ ...state, accounts, failure: undefined }],
      unlocked: (state) => [
        { ...state, isLocked: false },
        { type: 'watchIdle' },
        { type: 'readAccounts' },
      ],
      // If opening failed, the user can retry. If only a refresh failed, the list stays.
      refused: (state, { failure }) =>
        state.connection.step === 'joining' ? stop(failure) : [{ ...state, failure }],
      signedOut,
      locked: (state) =>
        state.connection.step === 'connected' && state.connection.awaited > 0
          ? [{ ...state, isLocked: true }]
          : locked(),
      logInRequested: (state) => [state, { type: 'logIn' }],
    },
    leaving: {},
  },
})

/** Whether nothing is left to do: the user has decided, or the page has disconnected. */
function isDone(connection: ConnectionState): boolean {
  switch (connection.step) {
    case 'connected':
      return connection.decided !== undefined && connection.awaited === 0
    case 'ended':
      return connection.decided !== undefined || connection.how === 'ended-by-page'
    case 'none':
    case 'joining':
    case 'asking':
      return false
  }
}

/** Whether the user has approved a proposal, and the page waits for the votes of other members. */
function isAwaitingVotes(connection: ConnectionState): boolean {
  return (
    connection.step === 'connected' && connection.awaited > 0 && connection.decided !== undefined
  )
}
