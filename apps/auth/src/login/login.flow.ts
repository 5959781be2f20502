import type { PageProvider } from '@portico/contracts/page-data'
import { flow, type Next } from '@portico/flow'
import type { LoginOutcome, TwoFactorOptions } from '@portico/rules/login-outcome'
import { ACCOUNT_LOCKED, type Failure, UNEXPECTED } from '@portico/shell/failure'
import type { PendingStep, Position } from '../second-step.ts'

/** The selected login method; 'forgotten' is a passcode login followed by a password reset. */
export type Method = 'password' | 'passcode' | 'forgotten'

interface SentCode {
  readonly method: CodeMethod
  readonly email: string
  readonly loginUuid: string
}
type UserType = PageProvider['userType']
type CodeMethod = Exclude<Method, 'password'>

/** The login page (§4.4). Field values live in the DOM, so a failed request keeps what the user typed. */
export type State =
  | { step: 'arriving'; method: 'passcode'; email: string }
  | {
      step: 'filling'
      method: Method
      failure?: Failure | undefined
      /** Whether passkey autofill is active in the email field. */
      offering?: boolean
    }
  | { step: 'loggingIn'; method: 'password'; email: string }
  | { step: 'openingProvider'; method: Method; userType: UserType }
  | { step: 'sendingCode'; method: CodeMethod; email: string }
  | ({ step: 'enteringCode'; justSent: boolean } & SentCode)
  | { step: 'readingPassword'; method: CodeMethod; email: string; jwt: string }
  | {
      step: 'choosingPassword'
      method: CodeMethod
      email: string
      jwt: string
      /** Whether it is the account's first password; one that never existed is not reset. */
      first: boolean
    }
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
      /** The position in the modal to restore after a page reload. */
      position?: Position
    }
  | { step: 'redirecting'; method: Method; to: string }

export type Event =
  | ({ type: 'codeRestored' } & SentCode)
  | { type: 'secondFactorRestored'; context: SecondFactorContext & Pick<PendingStep, 'position'> }
  | { type: 'nothingToRestore'; sentAlready: boolean }
  | { type: 'userEngaged' }
  | { type: 'passkeySelected'; challengeUuid: string; response: PasskeyResponse }
  | { type: 'methodChosen'; method: Method }
  | { type: 'providerChosen'; userType: UserType }
  | { type: 'passwordSubmitted'; email: string; password: string }
  | { type: 'emailSubmitted'; email: string }
  | { type: 'loggedIn'; outcome: LoginOutcome }
  | { type: 'codeSent'; loginUuid: string }
  | { type: 'loginRedirected'; to: string }
  | { type: 'codeRedeemed'; outcome: LoginOutcome; newUser: boolean }
  | { type: 'codeClosed' }
  | { type: 'secondFactorRedeemed'; jwt: string }
  | { type: 'secondFactorClosed' }
  | { type: 'passwordRead'; hasPassword: boolean }
  | { type: 'passwordClosed' }
  | { type: 'refused'; failure: Failure }

type SecondFactorContext = Pick<PendingStep, 'email' | 'newUser' | 'options'> & {
  readonly method: Method
}

export type Command =
  | { type: 'savePendingStep'; context: SecondFactorContext }
  | { type: 'restoreProgress' }
  | { type: 'offerPasskeys' }
  | { type: 'logInByPasskey'; challengeUuid: string; response: PasskeyResponse }
  | { type: 'logIn'; email: string; password: string }
  | { type: 'openProvider'; userType: UserType }
  | { type: 'sendCode'; email: string; method: CodeMethod }
  | { type: 'clearPendingCode' }
  /** Read with the session that a code started: an unproven visitor must not learn it. */
  | { type: 'readPassword'; jwt: string }
  | { type: 'leave'; to: string }

/** The browser's WebAuthn response, opaque to the client. */
type PasskeyResponse = Readonly<Record<string, unknown>>

/**
 * `sendTo` is the address to send a passcode to immediately (`otp=true`). With `offersCode`, the page offers to send one.
 */
export type Input = { sendTo?: string | undefined; offersCode?: boolean }

const refuse = (method: Method, failure: Failure): Next<State, Command> => [
  { step: 'filling', method, failure },
]

const redirect = (method: Method, to: string): Next<State, Command> => [
  { step: 'redirecting', method, to },
  { type: 'leave', to },
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
      return redirect(method, outcome.to)
    case 'twoFactor': {
      const context = { method, email, options: outcome.options, newUser }
      // Saved immediately: if the modal fails to load, the reloaded page returns to this step.
      return [
        { step: 'secondFactor', ...context },
        { type: 'savePendingStep', context },
      ]
    }
    case 'signedIn':
      return signIn({ method, email, newUser }, outcome.jwt)
  }
}

/** After a passcode, a new user or one who forgot the password chooses a password; any other user's session starts. */
function signIn(
  { method, email, newUser }: { method: Method; email: string; newUser: boolean },
  jwt: string,
): Next<State, Command> {
  if (method !== 'password' && newUser) {
    return [{ step: 'choosingPassword', method, email, jwt, first: true }]
  }
  return method === 'forgotten'
    ? [
        { step: 'readingPassword', method, email, jwt },
        { type: 'readPassword', jwt },
      ]
    : [{ step: 'startingSession', method, email, jwt }]
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

const enter = ({ method, email, loginUuid }: SentCode, justSent: boolean): Next<State, Command> => [
  { step: 'enteringCode', method, email, loginUuid, justSent },
]

export const login = flow<State, Event, Command, Input>({
  name: 'login',
  begin: ({ sendTo, offersCode }) => [
    sendTo === undefined
      ? { step: 'filling', method: offersCode ? 'passcode' : 'password' }
      : { step: 'arriving', method: 'passcode', email: sendTo },
    { type: 'restoreProgress' },
  ],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    arriving: {
      codeRestored: (_, code) => enter(code, false),
      secondFactorRestored: (_, { context }) => [{ step: 'secondFactor', ...context }],
      nothingToRestore: ({ method, email }, { sentAlready }) =>
        sentAlready ? [{ step: 'filling', method }] : send(method, email),
      refused: ({ method }, { failure }) => refuse(method, failure),
    },
    filling: {
      methodChosen: ({ offering }, { method }) => [fill(method, { offering })],
      passwordSubmitted: (_, { email, password }) => [
        { step: 'loggingIn', method: 'password', email },
        { type: 'logIn', email, password },
      ],
      providerChosen: ({ method }, { userType }) => [
        { step: 'openingProvider', method, userType },
        { type: 'openProvider', userType },
      ],
      emailSubmitted: ({ method }, { email }) =>
        send(method === 'forgotten' ? 'forgotten' : 'passcode', email),
      // Leaving this step cancels passkey autofill, so its prompt cannot appear during another login method.
      userEngaged: (state) =>
        state.offering ? [state] : [{ ...state, offering: true }, { type: 'offerPasskeys' }],
      passkeySelected: (_, { challengeUuid, response }) => [
        // Only the server can tell which user the passkey belongs to.
        { step: 'loggingIn', method: 'password', email: '' },
        { type: 'logInByPasskey', challengeUuid, response },
      ],
      codeRestored: (_, code) => enter(code, false),
      secondFactorRestored: (_, { context }) => [{ step: 'secondFactor', ...context }],
      refused: ({ method }, { failure }) => refuse(method, failure),
    },
    loggingIn: {
      loggedIn: (state, { outcome }) => follow(state, outcome),
      loginRedirected: ({ method }, { to }) => redirect(method, to),
      refused: ({ method }, { failure }) => refuse(method, failure),
    },
    openingProvider: {
      loginRedirected: ({ method }, { to }) => redirect(method, to),
      refused: ({ method }, { failure }) => refuse(method, failure),
    },
    sendingCode: {
      codeSent: ({ method, email }, { loginUuid }) => enter({ method, email, loginUuid }, true),
      loginRedirected: ({ method }, { to }) => redirect(method, to),
      refused: ({ method }, { failure }) => refuse(method, failure),
    },
    enteringCode: {
      codeRedeemed: (state, { outcome, newUser }) => [
        ...follow(state, outcome, newUser),
        { type: 'clearPendingCode' },
      ],
      codeClosed: ({ method }) => [{ step: 'filling', method }, { type: 'clearPendingCode' }],
    },
    readingPassword: {
      passwordRead: (state, { hasPassword }) => [
        { ...state, step: 'choosingPassword', first: !hasPassword },
      ],
      refused: (state) => [{ ...state, step: 'choosingPassword', first: false }],
    },
    choosingPassword: {
      passwordClosed: ({ method, email, jwt, first }) => [
        { step: 'startingSession', method, email, jwt, passwordOffered: first },
      ],
    },
    startingSession: {
      refused: ({ method }, { failure }) => refuse(method, failure),
    },
    secondFactor: {
      secondFactorRedeemed: (state, { jwt }) => signIn(state, jwt),
      secondFactorClosed: ({ method }) => [{ step: 'filling', method }],
      refused: ({ method }, { failure }) => refuse(method, failure),
    },
    redirecting: {},
  },
})
