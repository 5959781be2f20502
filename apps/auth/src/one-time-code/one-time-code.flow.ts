import { NOTICES } from '@portico/contracts/errors'
import { flow, type Next } from '@portico/flow'
import type { LoginOutcome } from '@portico/rules/login-outcome'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** Entering an e-mailed passcode (§4.4): it is redeemed, or another one is sent. */
export type State =
  | {
      step: 'entering'
      loginUuid: string
      resend: 'ready' | 'sending' | 'resting'
      busy: boolean
      failure?: Failure | undefined
    }
  | { step: 'left'; result: Result }

/** What the page hears of it. */
export type Result = { kind: 'redeemed'; outcome: LoginOutcome } | { kind: 'closed' }

/** What the code entry hears. */
export type Event =
  | { type: 'codeGiven'; code: string }
  | { type: 'redeemed'; outcome: LoginOutcome }
  | { type: 'refused'; failure: Failure }
  | { type: 'resendAsked' }
  | { type: 'resent'; loginUuid: string }
  | { type: 'resendRefused'; failure: Failure }
  | { type: 'rested' }
  | { type: 'closed' }
  | { type: 'broke' }

/** What the code entry has done. */
export type Command =
  | { type: 'redeem'; loginUuid: string; code: string }
  | { type: 'resend' }
  | { type: 'rest' }
  | { type: 'notify'; notice: string }
  | { type: 'handBack'; result: Result }

/** What the code entry begins with. */
export type Input = { loginUuid: string; justSent: boolean }

const leave = (result: Result): Next<State, Command> => [
  { step: 'left', result },
  { type: 'handBack', result },
]

/** The table of the code entry. */
export const oneTimeCode = flow<State, Event, Command, Input>({
  name: 'one-time-code',
  begin: ({ loginUuid, justSent }) =>
    justSent
      ? [{ step: 'entering', loginUuid, resend: 'resting', busy: false }, { type: 'rest' }]
      : [{ step: 'entering', loginUuid, resend: 'ready', busy: false }],
  failed: { type: 'broke' },
  on: {
    entering: {
      codeGiven: (state, { code }) =>
        state.busy
          ? [state]
          : [
              { ...state, busy: true, failure: undefined },
              { type: 'redeem', loginUuid: state.loginUuid, code },
            ],
      redeemed: (_, { outcome }) => leave({ kind: 'redeemed', outcome }),
      refused: (state, { failure }) => [{ ...state, busy: false, failure }],
      resendAsked: (state) =>
        state.resend === 'ready' ? [{ ...state, resend: 'sending' }, { type: 'resend' }] : [state],
      resent: (state, { loginUuid }) => [
        { ...state, loginUuid, resend: 'resting', failure: undefined },
        { type: 'rest' },
        { type: 'notify', notice: NOTICES.codeResent },
      ],
      resendRefused: (state, { failure }) => [{ ...state, resend: 'ready', failure }],
      rested: (state) => [{ ...state, resend: 'ready' }],
      closed: () => leave({ kind: 'closed' }),
      broke: (state) => [
        {
          ...state,
          busy: false,
          resend: state.resend === 'sending' ? 'ready' : state.resend,
          failure: UNEXPECTED,
        },
      ],
    },
    left: {},
  },
})
