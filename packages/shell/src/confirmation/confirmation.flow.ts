import { flow, type Next } from '@portico/flow'
import type { ConfirmationMethod } from '@portico/rules/confirmation-methods'
import { type Failure, PASSKEY_CANCELED, UNEXPECTED } from '../failure.ts'

/** What the user enters to re-authenticate. */
type Proof =
  | { readonly password: string }
  | { readonly totp: string }
  | { readonly loginUuid: string; readonly token: string }

/** Re-authentication. A passcode is sent, or the browser's passkey prompt opened, only when the user requests it. */
export type State =
  | { step: 'entering'; method: 'password' | 'totp'; busy: boolean; failure?: Failure | undefined }
  | { step: 'offering'; failure?: Failure | undefined }
  | { step: 'sending' }
  | { step: 'redeeming'; loginUuid: string; busy: boolean; failure?: Failure | undefined }
  | { step: 'inviting'; failure?: Failure | undefined }
  | { step: 'presenting' }
  | { step: 'left' }

export type Event =
  | { type: 'methodChosen'; method: ConfirmationMethod }
  | { type: 'codeRequested' }
  | { type: 'codeSent'; loginUuid: string }
  | { type: 'proofSubmitted'; text: string }
  | { type: 'passkeyRequested' }
  | { type: 'passkeyCanceled' }
  | { type: 'confirmed' }
  | { type: 'refused'; failure: Failure }

export type Command =
  | { type: 'sendCode' }
  | { type: 'confirm'; proof: Proof }
  | { type: 'confirmByPasskey' }
  | { type: 'returnResult' }

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

const leave = (): Next<State, Command> => [{ step: 'left' }, { type: 'returnResult' }]

const choose = (_: State, { method }: { method: ConfirmationMethod }) => enter(method)

export const confirmation = flow<State, Event, Command, Input>({
  name: 'confirmation',
  begin: ({ method }) => enter(method),
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    entering: {
      methodChosen: choose,
      proofSubmitted: (state, { text }) =>
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
      codeRequested: () => [{ step: 'sending' }, { type: 'sendCode' }],
    },
    sending: {
      codeSent: (_, { loginUuid }) => [{ step: 'redeeming', loginUuid, busy: false }],
      refused: (_, { failure }) => [{ step: 'offering', failure }],
    },
    redeeming: {
      methodChosen: choose,
      proofSubmitted: (state, { text }) =>
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
      passkeyRequested: () => [{ step: 'presenting' }, { type: 'confirmByPasskey' }],
    },
    // Selecting another method closes the browser's prompt.
    presenting: {
      methodChosen: choose,
      passkeyCanceled: () => [{ step: 'inviting', failure: PASSKEY_CANCELED }],
      confirmed: leave,
      refused: (_, { failure }) => [{ step: 'inviting', failure }],
    },
    left: {},
  },
})
