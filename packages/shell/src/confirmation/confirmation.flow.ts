import { flow, type Next } from '@portico/flow'
import type { ConfirmationMethod } from '@portico/rules/confirmation-methods'
import { type Failure, PASSKEY_LEFT, UNEXPECTED } from '../failure.ts'

/** What is typed to confirm. */
type Proof =
  | { readonly password: string }
  | { readonly totp: string }
  | { readonly loginUuid: string; readonly token: string }

/** Confirming that it is still the same person; a passcode is sent, and the browser's window opened, when it is asked for. */
export type State =
  | { step: 'entering'; method: 'password' | 'totp'; busy: boolean; failure?: Failure | undefined }
  | { step: 'offering'; failure?: Failure | undefined }
  | { step: 'sending' }
  | { step: 'redeeming'; loginUuid: string; busy: boolean; failure?: Failure | undefined }
  | { step: 'inviting'; failure?: Failure | undefined }
  | { step: 'presenting' }
  | { step: 'left' }

/** What the confirmation hears. */
export type Event =
  | { type: 'methodChosen'; method: ConfirmationMethod }
  | { type: 'sendAsked' }
  | { type: 'codeSent'; loginUuid: string }
  | { type: 'given'; text: string }
  | { type: 'passkeyAsked' }
  | { type: 'passkeyLeft' }
  | { type: 'confirmed' }
  | { type: 'refused'; failure: Failure }

/** What the confirmation has done. */
export type Command =
  | { type: 'sendCode' }
  | { type: 'confirm'; proof: Proof }
  | { type: 'confirmByPasskey' }
  | { type: 'handBack' }

/** What the confirmation begins with. */
export type Input = { method: ConfirmationMethod }

function enter(method: ConfirmationMethod): Next<State, Command> {
  switch (method) {
    case 'password':
    case 'totp':
      return [{ step: 'entering', method, busy: false }]
    case 'passcode':
      return [{ step: 'offering' }]
    case 'passkey':
      return [{ step: 'inviting' }]
  }
}

const leave = (): Next<State, Command> => [{ step: 'left' }, { type: 'handBack' }]

const choose = (_: State, { method }: { method: ConfirmationMethod }) => enter(method)

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
    inviting: {
      methodChosen: choose,
      passkeyAsked: () => [{ step: 'presenting' }, { type: 'confirmByPasskey' }],
    },
    // Another way closes the browser's window.
    presenting: {
      methodChosen: choose,
      passkeyLeft: () => [{ step: 'inviting', failure: PASSKEY_LEFT }],
      confirmed: leave,
      refused: (_, { failure }) => [{ step: 'inviting', failure }],
    },
    left: {},
  },
})
