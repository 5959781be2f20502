import { flow, type Next } from '@portico/flow'
import type { LoginOutcome } from '@portico/rules/login-outcome'
import { ACCOUNT_LOCKED, type Failure, UNEXPECTED } from '@portico/shell/failure'

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
  | { step: 'filling'; method: Method; failure?: Failure | undefined }
  | { step: 'loggingIn'; method: 'password'; email: string }
  | { step: 'sendingCode'; method: CodeMethod; email: string }
  | ({ step: 'enteringCode'; justSent: boolean } & Sent)
  | { step: 'choosingPassword'; method: CodeMethod; email: string; jwt: string; newUser: boolean }
  | { step: 'startingSession'; method: Method; email: string; jwt: string }
  | { step: 'secondFactorAsked'; method: Method }
  | { step: 'redirecting'; method: Method; to: string }

/** What the login page hears. */
export type Event =
  | ({ type: 'codeRecalled' } & Sent)
  | { type: 'nothingRecalled'; sentAlready: boolean }
  | { type: 'methodChosen'; method: Method }
  | { type: 'passwordGiven'; email: string; password: string }
  | { type: 'emailGiven'; email: string }
  | { type: 'loggedIn'; outcome: LoginOutcome }
  | { type: 'codeSent'; loginUuid: string }
  | { type: 'loginMoved'; to: string }
  | { type: 'codeRedeemed'; outcome: LoginOutcome; newUser: boolean }
  | { type: 'codeLeft' }
  | { type: 'passwordLeft' }
  | { type: 'refused'; failure: Failure }

/** What the login page has done. */
export type Command =
  | { type: 'recallCode' }
  | { type: 'logIn'; email: string; password: string }
  | { type: 'sendCode'; email: string; method: CodeMethod }
  | { type: 'forgetCode' }
  | { type: 'tell'; notices: readonly string[] }
  | { type: 'leave'; to: string }

/** `sendTo` is the address that gets a passcode at once (`otp=true`). */
export type Input = { sendTo?: string | undefined }

const refuse = (method: Method, failure: Failure): Next<State, Command> => [
  { step: 'filling', method, failure },
  { type: 'tell', notices: failure.notices },
]

function follow(
  { method, email }: { method: Method; email: string },
  outcome: LoginOutcome,
): Next<State, Command> {
  switch (outcome.kind) {
    case 'locked':
      return refuse(method, ACCOUNT_LOCKED)
    case 'redirected':
      return [
        { step: 'redirecting', method, to: outcome.to },
        { type: 'leave', to: outcome.to },
      ]
    case 'twoFactor':
      return [{ step: 'secondFactorAsked', method }]
    case 'signedIn':
      return [{ step: 'startingSession', method, email, jwt: outcome.jwt }]
  }
}

/** What the form hears while it can be filled in. */
const form = {
  methodChosen: (_: State, { method }: { method: Method }): Next<State, Command> => [
    { step: 'filling', method },
  ],
  passwordGiven: (
    _: State,
    { email, password }: { email: string; password: string },
  ): Next<State, Command> => [
    { step: 'loggingIn', method: 'password', email },
    { type: 'logIn', email, password },
  ],
  emailGiven: ({ method }: State, { email }: { email: string }): Next<State, Command> =>
    send(method === 'forgotten' ? 'forgotten' : 'passcode', email),
}

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
      nothingRecalled: ({ method, email }, { sentAlready }) =>
        sentAlready ? [{ step: 'filling', method }] : send(method, email),
      refused: ({ method }, { failure }) => refuse(method, failure),
    },
    filling: {
      ...form,
      codeRecalled: (_, code) => enter(code, false),
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
      codeRedeemed: ({ method, email }, { outcome, newUser }) => {
        const asksPassword = newUser || method === 'forgotten'
        const next: Next<State, Command> =
          asksPassword && outcome.kind === 'signedIn'
            ? [{ step: 'choosingPassword', method, email, jwt: outcome.jwt, newUser }]
            : follow({ method, email }, outcome)
        return [...next, { type: 'forgetCode' }]
      },
      codeLeft: ({ method }) => [{ step: 'filling', method }, { type: 'forgetCode' }],
    },
    choosingPassword: {
      passwordLeft: ({ method, email, jwt }) => [{ step: 'startingSession', method, email, jwt }],
    },
    startingSession: {
      refused: ({ method }, { failure }) => refuse(method, failure),
    },
    secondFactorAsked: form,
    redirecting: {},
  },
})
