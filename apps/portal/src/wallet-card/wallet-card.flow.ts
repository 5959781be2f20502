import type { AccountAccess } from '@portico/contracts/wallet'
import { flow, type Next } from '@portico/flow'
import type { Accounts } from '../accounts.ts'

/** An operation requested from the wallet. */
export type Operation =
  | { readonly kind: 'connect' }
  | { readonly kind: 'sign-message'; readonly text: string }
  | { readonly kind: 'sign-token' }
  /** Without a group, the user acts as an individual again. */
  | { readonly kind: 'switch-group'; readonly group: string | undefined }
  /** `amount` is in nhash. */
  | {
      readonly kind: 'send'
      readonly recipient: string
      readonly amount: string
      readonly memo: string
    }
  | { readonly kind: 'disconnect' }

/** A payment that the wallet says it has sent. */
export interface SentPayment {
  /** The hash of the transaction. */
  readonly transaction: string
  readonly from: string
  readonly to: string
  /** In nhash. */
  readonly amount: string
}

/** The result of an operation, as shown to the user. */
export interface Outcome {
  /** `info` for facts and the user's own decisions, `warn` for a connection that ended by itself. */
  readonly tone: 'ok' | 'info' | 'warn' | 'danger'
  readonly title: string
  readonly detail?: string | undefined
  /** The hash of the transaction that the outcome is about. */
  readonly transaction?: string | undefined
}

/** The wallet card: runs one operation at a time and shows its outcome. The connection's state is in the wallet session. */
export type State =
  | { step: 'reading' }
  | { step: 'idle'; accounts: Accounts; outcome?: Outcome | undefined }
  | {
      step: 'operating'
      accounts: Accounts
      operation: Operation
      withdrawing: boolean
      /** Why the wallet did not withdraw the request. */
      notice?: string | undefined
    }
  /** The wallet has answered with a transaction. Only the chain says what became of it. */
  | { step: 'confirming'; accounts: Accounts; payment: SentPayment }

export type Event =
  | { type: 'accountsRead'; accounts: Accounts }
  | { type: 'accountsNotRead'; outcome: Outcome }
  | { type: 'operationRequested'; operation: Operation }
  | { type: 'withdrawalRequested' }
  | { type: 'withdrawalRefused'; notice: string }
  /** `acting` is set if the operation changed it. */
  | { type: 'operationEnded'; outcome?: Outcome | undefined; acting?: AccountAccess | undefined }
  | { type: 'transactionAccepted'; payment: SentPayment }
  | { type: 'disconnected'; outcome: Outcome }

export type Command =
  | { type: 'readAccounts' }
  | { type: 'watchConnection' }
  | { type: 'operate'; operation: Operation }
  | { type: 'withdraw' }
  | { type: 'awaitBlock'; payment: SentPayment }

const NONE: Accounts = { items: [], acting: undefined }

const idle = (accounts: Accounts, outcome?: Outcome): Next<State, Command> => [
  { step: 'idle', accounts, outcome },
  { type: 'watchConnection' },
]

export const walletCard = flow<State, Event, Command, null>({
  name: 'wallet-card',
  begin: () => [{ step: 'reading' }, { type: 'watchConnection' }, { type: 'readAccounts' }],
  failed: {
    type: 'operationEnded',
    outcome: { tone: 'danger', title: 'Something went wrong on our side.' },
  },
  on: {
    reading: {
      accountsRead: (_, { accounts }) => idle(accounts),
      accountsNotRead: (_, { outcome }) => idle(NONE, outcome),
      operationEnded: (_, { outcome }) => idle(NONE, outcome),
    },
    idle: {
      operationRequested: ({ accounts }, { operation }) => [
        { step: 'operating', accounts, operation, withdrawing: false },
        { type: 'watchConnection' },
        { type: 'operate', operation },
      ],
      operationEnded: (state, { outcome }) => [{ ...state, outcome }],
      disconnected: (state, { outcome }) => [{ ...state, outcome }],
    },
    operating: {
      withdrawalRequested: (state) =>
        state.withdrawing
          ? [state]
          : [{ ...state, withdrawing: true, notice: undefined }, { type: 'withdraw' }],
      // The wallet is executing the request. If that fails, it can still be withdrawn.
      withdrawalRefused: (state, { notice }) => [{ ...state, withdrawing: false, notice }],
      operationEnded: ({ accounts }, { outcome, acting = accounts.acting }) =>
        idle({ ...accounts, acting }, outcome),
      transactionAccepted: ({ accounts }, { payment }) => [
        { step: 'confirming', accounts, payment },
        { type: 'watchConnection' },
        { type: 'awaitBlock', payment },
      ],
      disconnected: ({ accounts }, { outcome }) => idle(accounts, outcome),
    },
    confirming: {
      operationEnded: ({ accounts }, { outcome }) => idle(accounts, outcome),
    },
  },
})
