import { flow, type Next } from '@portico/flow'
import type { LoginOutcome, TwoFactorOptions } from '@portico/rules/login-outcome'
import { ACCOUNT_LOCKED, type Failure, UNEXPECTED } from '@portico/shell/failure'
import type { Position } from '../second-step.ts'
import type { AfterRegistration } from './after-registration.ts'

interface RegistrationContext {
  readonly after: AfterRegistration
}
interface SignedInContext extends RegistrationContext {
  readonly email: string
  readonly jwt: string
}

/** Creating a login (§4.6): email address, then token, then password, then the target from the query. */
export type State =
  /** `typed` is the previously entered address. */
  | ({
      step: 'email'
      typed?: string | undefined
      failure?: Failure | undefined
    } & RegistrationContext)
  | ({ step: 'registering'; email: string } & RegistrationContext)
  | ({ step: 'token'; email: string; loginUuid: string; justSent: boolean } & RegistrationContext)
  | ({ step: 'checking' } & SignedInContext)
  | ({ step: 'password' } & SignedInContext)
  | ({ step: 'startingSession' } & SignedInContext)
  | ({
      step: 'secondFactor'
      email: string
      options: TwoFactorOptions
      position?: Position
    } & RegistrationContext)
  | { step: 'redirecting'; to: string }
  | { step: 'leaving' }

export type Event =
  | { type: 'codeRestored'; email: string; loginUuid: string }
  | { type: 'secondFactorRestored'; email: string; options: TwoFactorOptions; position: Position }
  | { type: 'emailSubmitted'; email: string }
  | { type: 'codeSent'; loginUuid: string }
  | { type: 'loginRedirected'; to: string }
  | { type: 'codeRedeemed'; outcome: LoginOutcome }
  | { type: 'codeClosed' }
  | { type: 'secondFactorRedeemed'; jwt: string }
  | { type: 'secondFactorClosed' }
  | { type: 'identityRead'; passwordExpired: boolean }
  | { type: 'passwordSet' }
  | { type: 'refused'; failure: Failure }

export type Command =
  | { type: 'restoreProgress' }
  | { type: 'register'; email: string }
  | { type: 'clearPendingCode' }
  | { type: 'savePendingStep'; email: string; options: TwoFactorOptions }
  | { type: 'readIdentity'; jwt: string }
  | { type: 'trackRegistration' }
  | { type: 'enterWallet'; jwt: string; to: string }
  | { type: 'leave'; to: string }

export type Input = RegistrationContext

const refuse = (
  { after, email: typed }: RegistrationContext & { email?: string },
  failure: Failure,
): Next<State, Command> => [{ step: 'email', after, typed, failure }]

const redirect = (to: string): Next<State, Command> => [
  { step: 'redirecting', to },
  { type: 'leave', to },
]

function follow(
  { after, email }: RegistrationContext & { email: string },
  outcome: LoginOutcome,
): Next<State, Command> {
  switch (outcome.kind) {
    case 'locked':
      return refuse({ after, email }, ACCOUNT_LOCKED)
    case 'redirected':
      return redirect(outcome.to)
    case 'twoFactor':
      return [
        { step: 'secondFactor', after, email, options: outcome.options },
        { type: 'savePendingStep', email, options: outcome.options },
      ]
    case 'signedIn':
      return check({ after, email, jwt: outcome.jwt })
  }
}

const check = ({ after, email, jwt }: SignedInContext): Next<State, Command> => [
  { step: 'checking', after, email, jwt },
  { type: 'readIdentity', jwt },
]

function finish({ after, email, jwt }: SignedInContext): Next<State, Command> {
  return after.kind === 'wallet'
    ? [{ step: 'leaving' }, { type: 'enterWallet', jwt, to: after.to }]
    : [{ step: 'startingSession', after, email, jwt }]
}

export const registration = flow<State, Event, Command, Input>({
  name: 'registration',
  begin: ({ after }) => [{ step: 'email', after }, { type: 'restoreProgress' }],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    email: {
      codeRestored: ({ after }, { email, loginUuid }) => [
        { step: 'token', after, email, loginUuid, justSent: false },
      ],
      secondFactorRestored: ({ after }, { email, options, position }) => [
        { step: 'secondFactor', after, email, options, position },
      ],
      emailSubmitted: ({ after }, { email }) => [
        { step: 'registering', after, email },
        { type: 'register', email },
      ],
      refused: refuseWith,
    },
    registering: {
      codeSent: ({ after, email }, { loginUuid }) => [
        { step: 'token', after, email, loginUuid, justSent: true },
      ],
      loginRedirected: (_, { to }) => redirect(to),
      refused: refuseWith,
    },
    token: {
      codeRedeemed: (state, { outcome }) => [
        ...follow(state, outcome),
        { type: 'clearPendingCode' },
      ],
      codeClosed: ({ after, email }) => [
        { step: 'email', after, typed: email },
        { type: 'clearPendingCode' },
      ],
    },
    checking: {
      identityRead: ({ after, email, jwt }, { passwordExpired }) =>
        passwordExpired ? [{ step: 'password', after, email, jwt }] : finish({ after, email, jwt }),
      refused: refuseWith,
    },
    password: {
      // A user who already had a password has only logged in, so only this step counts as a registration.
      passwordSet(state) {
        const [next, ...commands] = finish(state)
        return [next, { type: 'trackRegistration' }, ...commands]
      },
    },
    startingSession: { refused: refuseWith },
    secondFactor: {
      secondFactorRedeemed: (state, { jwt }) => check({ ...state, jwt }),
      secondFactorClosed: ({ after, email }) => [{ step: 'email', after, typed: email }],
      refused: refuseWith,
    },
    redirecting: {},
    leaving: {},
  },
})

function refuseWith(
  state: RegistrationContext & { email?: string },
  { failure }: { failure: Failure },
): Next<State, Command> {
  return refuse(state, failure)
}
