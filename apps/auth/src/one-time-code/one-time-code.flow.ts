import { NOTICES } from '@portico/contracts/notices'
import { flow, type Next } from '@portico/flow'
import type { LoginOutcome } from '@portico/rules/login-outcome'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** Entering an emailed passcode (§4.4), or requesting another one. */
export type State =
  | {
      step: 'entering'
      loginUuid: string
      resend: 'ready' | 'sending' | 'coolingDown'
      busy: boolean
      failure?: Failure | undefined
    }
  | { step: 'left'; result: Result }

export type Result = { kind: 'redeemed'; outcome: LoginOutcome } | { kind: 'closed' }

export type Event =
  | { type: 'codeSubmitted'; code: string }
  | { type: 'redeemed'; outcome: LoginOutcome }
  | { type: 'refused'; failure: Failure }
  | { type: 'resendRequested' }
  | { type: 'resent'; loginUuid: string }
  /** The login has moved to another address, so no code was sent. */
  | { type: 'loginRedirected'; to: string }
  | { type: 'resendRefused'; failure: Failure }
  | { type: 'cooldownEnded' }
  | { type: 'closed' }
  | { type: 'serviceFailed' }

export type Command =
  | { type: 'redeem'; loginUuid: string; code: string }
  | { type: 'resend' }
  | { type: 'startCooldown' }
  | { type: 'notify'; notice: string }
  | { type: 'leave'; to: string }
  | { type: 'returnResult'; result: Result }

export type Input = { loginUuid: string; justSent: boolean }

const leave = (result: Result): Next<State, Command> => [
  { step: 'left', result },
  { type: 'returnResult', result },
]

export const oneTimeCode = flow<State, Event, Command, Input>({
  name: 'one-time-code',
  begin: ({ loginUuid, justSent }) =>
    justSent
      ? [
          { step: 'entering', loginUuid, resend: 'coolingDown', busy: false },
          { type: 'startCooldown' },
        ]
      : [{ step: 'entering', loginUuid, resend: 'ready', busy: false }],
  failed: { type: 'serviceFailed' },
  on: {
    entering: {
      codeSubmitted: (state, { code }) =>
        state.busy
          ? [state]
          : [
              { ...state, busy: true, failure: undefined },
              { type: 'redeem', loginUuid: state.loginUuid, code },
            ],
      redeemed: (_, { outcome }) => leave({ kind: 'redeemed', outcome }),
      refused: (state, { failure }) => [{ ...state, busy: false, failure }],
      resendRequested: (state) =>
        state.resend === 'ready' ? [{ ...state, resend: 'sending' }, { type: 'resend' }] : [state],
      resent: (state, { loginUuid }) => [
        { ...state, loginUuid, resend: 'coolingDown', failure: undefined },
        { type: 'startCooldown' },
        { type: 'notify', notice: NOTICES.codeResent },
      ],
      // The button stays busy until the other page opens.
      loginRedirected: (state, { to }) => [state, { type: 'leave', to }],
      resendRefused: (state, { failure }) => [{ ...state, resend: 'ready', failure }],
      cooldownEnded: (state) => [{ ...state, resend: 'ready' }],
      closed: () => leave({ kind: 'closed' }),
      serviceFailed: (state) => [
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
