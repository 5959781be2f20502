import type { AccountAccess, AccountListItem } from '@portico/contracts/wallet'
import { flow, type Next } from '@portico/flow'

/** What can be asked of the wallet. */
export type Operation =
  | { readonly kind: 'connect' }
  | { readonly kind: 'sign-message'; readonly hex: string }
  | { readonly kind: 'sign-token' }
  /** Without a group: act as oneself again. */
  | { readonly kind: 'switch-group'; readonly group: string | undefined }
  | { readonly kind: 'disconnect' }

/** What came of it, in words. */
export interface Outcome {
  /** `info` for facts and the user's own choice, `warn` for a connection that ended by itself. */
  readonly tone: 'ok' | 'info' | 'warn' | 'danger'
  readonly title: string
  readonly detail?: string | undefined
}

/** What the card knows of accounts. */
export interface Accounts {
  readonly items: readonly AccountListItem[]
  /** The account that this session acts as, and the wallet that signs for it; nothing where none was chosen. */
  readonly acting: AccountAccess | undefined
}

/** The wallet card: it asks one thing at a time and says what came of it. Who is connected the session itself knows. */
export type State =
  | { step: 'reading' }
  | { step: 'idle'; accounts: Accounts; outcome?: Outcome | undefined }
  | {
      step: 'asking'
      accounts: Accounts
      operation: Operation
      withdrawing: boolean
    }

/** What the card hears. */
export type Event =
  | { type: 'accountsRead'; accounts: Accounts }
  | { type: 'accountsNotRead'; outcome: Outcome }
  | { type: 'asked'; operation: Operation }
  | { type: 'withdrawAsked' }
  /** `acting` is there where what was asked has changed it. */
  | { type: 'ended'; outcome?: Outcome | undefined; acting?: AccountAccess | undefined }
  | { type: 'disconnected'; outcome: Outcome }

/** What the card has done. */
export type Command =
  | { type: 'readAccounts' }
  | { type: 'watchConnection' }
  | { type: 'operate'; operation: Operation }
  | { type: 'withdraw' }

const NONE: Accounts = { items: [], acting: undefined }

const idle = (accounts: Accounts, outcome?: Outcome): Next<State, Command> => [
  { step: 'idle', accounts, outcome },
  { type: 'watchConnection' },
]

/** The table of the card. */
export const walletCard = flow<State, Event, Command, null>({
  name: 'wallet-card',
  begin: () => [{ step: 'reading' }, { type: 'watchConnection' }, { type: 'readAccounts' }],
  failed: {
    type: 'ended',
    outcome: { tone: 'danger', title: 'Something went wrong on our side.' },
  },
  on: {
    reading: {
      accountsRead: (_, { accounts }) => idle(accounts),
      accountsNotRead: (_, { outcome }) => idle(NONE, outcome),
      ended: (_, { outcome }) => idle(NONE, outcome),
    },
    idle: {
      asked: ({ accounts }, { operation }) => [
        { step: 'asking', accounts, operation, withdrawing: false },
        { type: 'watchConnection' },
        { type: 'operate', operation },
      ],
      ended: (state, { outcome }) => [{ ...state, outcome }],
      disconnected: (state, { outcome }) => [{ ...state, outcome }],
    },
    asking: {
      // Only what the wallet still shows to the person can be taken back.
      withdrawAsked: (state) =>
        state.withdrawing ? [state] : [{ ...state, withdrawing: true }, { type: 'withdraw' }],
      ended: ({ accounts }, { outcome, acting = accounts.acting }) =>
        idle({ ...accounts, acting }, outcome),
      disconnected: ({ accounts }, { outcome }) => idle(accounts, outcome),
    },
  },
})
