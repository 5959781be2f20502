import { flow, type Next } from '@portico/flow'
import type { LoginOutcome, TwoFactorOptions } from '@portico/rules/login-outcome'
import { ACCOUNT_LOCKED, type Failure, UNEXPECTED } from '@portico/shell/failure'
import type { PendingStep, Place } from '../second-step.ts'

/** How the person means to log in; 'forgotten' is a passcode that leads to a new password. */
export type Method = 'password' | 'passcode' | 'forgotten'

/** A passcode under way. */
interface Sent {
  readonly method: CodeMethod
  readonly email: string
  readonly loginUuid: string
}
type CodeMethod = Exclude<Method, 'password'>

/** The login page (§4.4). What stands in its fields is the page's; a refused call leaves it there. */
export type State =
  | { step: 'arriving'; method: 'passcode'; email: string }
  | {
      step: 'filling'
      method: Method
      failure?: Failure | undefined
      /** Whether the browser offers passkeys in the e-mail field. */
      offering?: boolean
    }
  | { step: 'loggingIn'; method: 'password'; email: string }
  | { step: 'sendingCode'; method: CodeMethod; email: string }
  | ({ step: 'enteringCode'; justSent: boolean } & Sent)
  | { step: 'choosingPassword'; method: CodeMethod; email: string; jwt: string; newUser: boolean }
  | {
      step: 'startingSession'
      method: Method
      email: string
      jwt: string
      passwordOffered?: boolean
    }
  | {
      step: 'secondFactor'
      method: Method
      email: string
      options: TwoFactorOptions
      newUser: boolean
      /** Where the person stood when the page was loaded anew. */
      place?: Place
    }
  | { step: 'redirecting'; method: Method; to: string }

/** What the login page hears. */
export type Event =
  | ({ type: 'codeRecalled' } & Sent)
  | { type: 'secondFactorRecalled'; under: Under & Pick<PendingStep, 'place'> }
  | { type: 'nothingRecalled'; sentAlready: boolean }
  | { type: 'intended' }
  | { type: 'passkeyGiven'; challengeUuid: string; response: PasskeyResponse }
  | { type: 'methodChosen'; method: Method }
  | { type: 'passwordGiven'; email: string; password: string }
  | { type: 'emailGiven'; email: string }
  | { type: 'loggedIn'; outcome: LoginOutcome }
  | { type: 'codeSent'; loginUuid: string }
  | { type: 'loginMoved'; to: string }
  | { type: 'codeRedeemed'; outcome: LoginOutcome; newUser: boolean }
  | { type: 'codeLeft' }
  | { type: 'secondFactorRedeemed'; jwt: string }
  | { type: 'secondFactorLeft' }
  | { type: 'passwordLeft' }
  | { type: 'refused'; failure: Failure }

/** What the second step of a login begins with. */
type Under = Pick<PendingStep, 'email' | 'newUser' | 'options'> & { readonly method: Method }

/** What the login page has done. */
export type Command =
  | { type: 'keepStep'; under: Under }
  | { type: 'recallCode' }
  | { type: 'offerPasskeys' }
  | { type: 'logInByPasskey'; challengeUuid: string; response: PasskeyResponse }
  | { type: 'logIn'; email: string; password: string }
  | { type: 'sendCode'; email: string; method: CodeMethod }
  | { type: 'forgetCode' }
  | { type: 'leave'; to: string }

/** What the browser answers for a chosen passkey; only the server reads it. */
type PasskeyResponse = Readonly<Record<string, unknown>>

/** `sendTo` is the address that gets a passcode at once (`otp=true`). */
export type Input = { sendTo?: string | undefined }

const refuse = (method: Method, failure: Failure): Next<State, Command> => [
  { step: 'filling', method, failure },
]

function follow(
  { method, email }: { method: Method; email: string },
  outcome: LoginOutcome,
  newUser = false,
): Next<State, Command> {
  switch (outcome.kind) {
    case 'locked':
      return refuse(method, ACCOUNT_LOCKED)
    case 'redirected':
      return [
        { step: 'redirecting', method, to: outcome.to },
        { type: 'leave', to: outcome.to },
      ]
    case 'twoFactor': {
      const under = { method, email, options: outcome.options, newUser }
      // At once: the modal may not load, and the page that is loaded again comes back to this step.
      return [
        { step: 'secondFactor', ...under },
        { type: 'keepStep', under },
      ]
    }
    case 'signedIn':
      return [enterWith({ method, email, newUser }, outcome.jwt)]
  }
}

/** After a passcode a new user, or who forgot the password, is asked for one; everybody else's session starts. */
function enterWith(
  { method, email, newUser }: { method: Method; email: string; newUser: boolean },
  jwt: string,
): State {
  return method !== 'password' && (newUser || method === 'forgotten')
    ? { step: 'choosingPassword', method, email, jwt, newUser }
    : { step: 'startingSession', method, email, jwt }
}

const fill = (method: Method, { offering }: { offering?: boolean | undefined }): State => ({
  step: 'filling',
  method,
  ...(offering === undefined ? {} : { offering }),
})

const send = (method: CodeMethod, email: string): Next<State, Command> => [
  { step: 'sendingCode', method, email },
  { type: 'sendCode', email, method },
]

const enter = ({ method, email, loginUuid }: Sent, justSent: boolean): Next<State, Command> => [
  { step: 'enteringCode', method, email, loginUuid, justSent },
]

/** The table of the login page. */
export const login = flow<State, Event, Command, Input>({
  name: 'login',
  begin: ({ sendTo }) => [
    sendTo === undefined
      ? { step: 'filling', method: 'password' }
      : { step: 'arriving', method: 'passcode', email: sendTo },
    { type: 'recallCode' },
  ],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    arriving: {
      codeRecalled: (_, code) => enter(code, false),
      secondFactorRecalled: (_, { under }) => [{ step: 'secondFactor', ...under }],
      nothingRecalled: ({ method, email }, { sentAlready }) =>
        sentAlready ? [{ step: 'filling', method }] : send(method, email),
      refused: ({ method }, { failure }) => refuse(method, failure),
    },
    filling: {
      methodChosen: ({ offering }, { method }) => [fill(method, { offering })],
      passwordGiven: (_, { email, password }) => [
        { step: 'loggingIn', method: 'password', email },
        { type: 'logIn', email, password },
      ],
      emailGiven: ({ method }, { email }) =>
        send(method === 'forgotten' ? 'forgotten' : 'passcode', email),
      // Leaving this step calls the offer off, so another way to sign in never meets a passkey's window.
      intended: (state) =>
        state.offering ? [state] : [{ ...state, offering: true }, { type: 'offerPasskeys' }],
      passkeyGiven: (_, { challengeUuid, response }) => [
        // Whose passkey it is only the server knows.
        { step: 'loggingIn', method: 'password', email: '' },
        { type: 'logInByPasskey', challengeUuid, response },
      ],
      codeRecalled: (_, code) => enter(code, false),
      secondFactorRecalled: (_, { under }) => [{ step: 'secondFactor', ...under }],
      refused: ({ method }, { failure }) => refuse(method, failure),
    },
    loggingIn: {
      loggedIn: (state, { outcome }) => follow(state, outcome),
      refused: ({ method }, { failure }) => refuse(method, failure),
    },
    sendingCode: {
      codeSent: ({ method, email }, { loginUuid }) => enter({ method, email, loginUuid }, true),
      loginMoved: ({ method }, { to }) => [
        { step: 'redirecting', method, to },
        { type: 'leave', to },
      ],
      refused: ({ method }, { failure }) => refuse(method, failure),
    },
    enteringCode: {
      codeRedeemed: (state, { outcome, newUser }) => [
        ...follow(state, outcome, newUser),
        { type: 'forgetCode' },
      ],
      codeLeft: ({ method }) => [{ step: 'filling', method }, { type: 'forgetCode' }],
    },
    choosingPassword: {
      passwordLeft: ({ method, email, jwt, newUser }) => [
        { step: 'startingSession', method, email, jwt, passwordOffered: newUser },
      ],
    },
    startingSession: {
      refused: ({ method }, { failure }) => refuse(method, failure),
    },
    secondFactor: {
      secondFactorRedeemed: (state, { jwt }) => [enterWith(state, jwt)],
      secondFactorLeft: ({ method }) => [{ step: 'filling', method }],
      refused: ({ method }, { failure }) => refuse(method, failure),
    },
    redirecting: {},
  },
})
