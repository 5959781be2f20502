import { flow, type Next } from '@portico/flow'
import { type Failure, UNEXPECTED } from '../failure.ts'

/** How somebody confirms; an e-mailed passcode has to be sent first. */
export type Method = 'password' | 'passcode' | 'totp'

/** What is given to confirm. */
type Proof =
  | { readonly password: string }
  | { readonly totp: string }
  | { readonly loginUuid: string; readonly token: string }

/** Confirming that it is still the same person. */
export type State =
  | { step: 'entering'; method: 'password' | 'totp'; busy: boolean; failure?: Failure | undefined }
  | { step: 'offering'; failure?: Failure | undefined }
  | { step: 'sending' }
  | { step: 'redeeming'; loginUuid: string; busy: boolean; failure?: Failure | undefined }
  | { step: 'left' }

/** What the confirmation hears. */
export type Event =
  | { type: 'methodChosen'; method: Method }
  | { type: 'sendAsked' }
  | { type: 'codeSent'; loginUuid: string }
  | { type: 'given'; text: string }
  | { type: 'confirmed' }
  | { type: 'refused'; failure: Failure }

/** What the confirmation has done. */
export type Command =
  | { type: 'sendCode' }
  | { type: 'confirm'; proof: Proof }
  | { type: 'handBack' }

/** What the confirmation begins with. */
export type Input = { method: Method }

const enter = (method: Method): Next<State, Command> =>
  method === 'passcode' ? [{ step: 'offering' }] : [{ step: 'entering', method, busy: false }]

const leave = (): Next<State, Command> => [{ step: 'left' }, { type: 'handBack' }]

const choose = (_: State, { method }: { method: Method }) => enter(method)

/** The table of the confirmation. */
export const confirmation = flow<State, Event, Command, Input>({
  name: 'confirmation',
  begin: ({ method }) => enter(method),
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    entering: {
      methodChosen: choose,
      given: (state, { text }) =>
        state.busy
          ? [state]
          : [
              { ...state, busy: true, failure: undefined },
              {
                type: 'confirm',
                proof: state.method === 'password' ? { password: text } : { totp: text },
              },
            ],
      confirmed: leave,
      refused: (state, { failure }) => [{ ...state, busy: false, failure }],
    },
    offering: {
      methodChosen: choose,
      sendAsked: () => [{ step: 'sending' }, { type: 'sendCode' }],
    },
    sending: {
      codeSent: (_, { loginUuid }) => [{ step: 'redeeming', loginUuid, busy: false }],
      refused: (_, { failure }) => [{ step: 'offering', failure }],
    },
    redeeming: {
      methodChosen: choose,
      given: (state, { text }) =>
        state.busy
          ? [state]
          : [
              { ...state, busy: true, failure: undefined },
              { type: 'confirm', proof: { loginUuid: state.loginUuid, token: text } },
            ],
      confirmed: leave,
      refused: (state, { failure }) => [{ ...state, busy: false, failure }],
    },
    left: {},
  },
})
