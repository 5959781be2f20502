import type { AccountListItem } from '@portico/contracts/wallet'
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
  readonly tone: 'ok' | 'danger'
  readonly title: string
  readonly detail?: string | undefined
}

/** The wallet card: it asks one thing at a time and says what came of it. Who is connected the session itself knows. */
export type State =
  | { step: 'reading' }
  | { step: 'idle'; accounts: readonly AccountListItem[]; outcome?: Outcome | undefined }
  | {
      step: 'asking'
      accounts: readonly AccountListItem[]
      operation: Operation
      withdrawing: boolean
    }

/** What the card hears. */
export type Event =
  | { type: 'accountsRead'; accounts: readonly AccountListItem[] }
  | { type: 'accountsNotRead'; outcome: Outcome }
  | { type: 'asked'; operation: Operation }
  | { type: 'withdrawAsked' }
  | { type: 'ended'; outcome?: Outcome | undefined }
  | { type: 'disconnected'; outcome: Outcome }

/** What the card has done. */
export type Command =
  | { type: 'readAccounts' }
  | { type: 'watchConnection' }
  | { type: 'operate'; operation: Operation }
  | { type: 'withdraw' }

const idle = (accounts: readonly AccountListItem[], outcome?: Outcome): Next<State, Command> => [
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
      accountsNotRead: (_, { outcome }) => idle([], outcome),
      ended: (_, { outcome }) => idle([], outcome),
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
      ended: ({ accounts }, { outcome }) => idle(accounts, outcome),
      disconnected: ({ accounts }, { outcome }) => idle(accounts, outcome),
    },
  },
})
