import { flow, type Next } from '@portico/flow'
import type { LoginOutcome, TwoFactorOptions } from '@portico/rules/login-outcome'
import { ACCOUNT_LOCKED, type Failure, UNEXPECTED } from '@portico/shell/failure'
import type { Place } from '../second-step.ts'
import type { AfterRegistration } from './after-registration.ts'

interface Begun {
  readonly after: AfterRegistration
}
interface SignedIn extends Begun {
  readonly email: string
  readonly jwt: string
}

/** Creating a login (§4.6): e-mail address, then token, then password, then where the query leads. */
export type State =
  /** `typed` is the address that was given before. */
  | ({ step: 'email'; typed?: string | undefined; failure?: Failure | undefined } & Begun)
  | ({ step: 'registering'; email: string } & Begun)
  | ({ step: 'token'; email: string; loginUuid: string; justSent: boolean } & Begun)
  | ({ step: 'checking' } & SignedIn)
  | ({ step: 'password' } & SignedIn)
  | ({ step: 'startingSession' } & SignedIn)
  | ({ step: 'secondFactor'; email: string; options: TwoFactorOptions; place?: Place } & Begun)
  | { step: 'redirecting'; to: string }
  | { step: 'leaving' }

/** What the registration hears. */
export type Event =
  | { type: 'codeRecalled'; email: string; loginUuid: string }
  | { type: 'secondFactorRecalled'; email: string; options: TwoFactorOptions; place: Place }
  | { type: 'emailGiven'; email: string }
  | { type: 'codeSent'; loginUuid: string }
  | { type: 'loginMoved'; to: string }
  | { type: 'codeRedeemed'; outcome: LoginOutcome }
  | { type: 'codeLeft' }
  | { type: 'secondFactorRedeemed'; jwt: string }
  | { type: 'secondFactorLeft' }
  | { type: 'identityRead'; passwordExpired: boolean }
  | { type: 'passwordSet' }
  | { type: 'refused'; failure: Failure }

/** What the registration has done. */
export type Command =
  | { type: 'recallCode' }
  | { type: 'register'; email: string }
  | { type: 'forgetCode' }
  | { type: 'keepStep'; email: string; options: TwoFactorOptions }
  | { type: 'readIdentity'; jwt: string }
  | { type: 'tellRegistered' }
  | { type: 'enterWallet'; jwt: string; to: string }
  | { type: 'leave'; to: string }

/** What the registration begins with. */
export type Input = Begun

const refuse = (
  { after, email: typed }: Begun & { email?: string },
  failure: Failure,
): Next<State, Command> => [{ step: 'email', after, typed, failure }]

const redirect = (to: string): Next<State, Command> => [
  { step: 'redirecting', to },
  { type: 'leave', to },
]

function follow(
  { after, email }: Begun & { email: string },
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
        { type: 'keepStep', email, options: outcome.options },
      ]
    case 'signedIn':
      return check({ after, email, jwt: outcome.jwt })
  }
}

const check = ({ after, email, jwt }: SignedIn): Next<State, Command> => [
  { step: 'checking', after, email, jwt },
  { type: 'readIdentity', jwt },
]

function finish({ after, email, jwt }: SignedIn): Next<State, Command> {
  return after.kind === 'wallet'
    ? [{ step: 'leaving' }, { type: 'enterWallet', jwt, to: after.to }]
    : [{ step: 'startingSession', after, email, jwt }]
}

/** The table of the registration. */
export const registration = flow<State, Event, Command, Input>({
  name: 'registration',
  begin: ({ after }) => [{ step: 'email', after }, { type: 'recallCode' }],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    email: {
      codeRecalled: ({ after }, { email, loginUuid }) => [
        { step: 'token', after, email, loginUuid, justSent: false },
      ],
      secondFactorRecalled: ({ after }, { email, options, place }) => [
        { step: 'secondFactor', after, email, options, place },
      ],
      emailGiven: ({ after }, { email }) => [
        { step: 'registering', after, email },
        { type: 'register', email },
      ],
      refused: refuseWith,
    },
    registering: {
      codeSent: ({ after, email }, { loginUuid }) => [
        { step: 'token', after, email, loginUuid, justSent: true },
      ],
      loginMoved: (_, { to }) => redirect(to),
      refused: refuseWith,
    },
    token: {
      codeRedeemed: (state, { outcome }) => [...follow(state, outcome), { type: 'forgetCode' }],
      codeLeft: ({ after, email }) => [
        { step: 'email', after, typed: email },
        { type: 'forgetCode' },
      ],
    },
    checking: {
      identityRead: ({ after, email, jwt }, { passwordExpired }) =>
        passwordExpired ? [{ step: 'password', after, email, jwt }] : finish({ after, email, jwt }),
      refused: refuseWith,
    },
    password: {
      // Who had a password already has only signed in.
      passwordSet(state) {
        const [next, ...commands] = finish(state)
        return [next, { type: 'tellRegistered' }, ...commands]
      },
    },
    startingSession: { refused: refuseWith },
    secondFactor: {
      secondFactorRedeemed: (state, { jwt }) => check({ ...state, jwt }),
      secondFactorLeft: ({ after, email }) => [{ step: 'email', after, typed: email }],
      refused: refuseWith,
    },
    redirecting: {},
    leaving: {},
  },
})

function refuseWith(
  state: Begun & { email?: string },
  { failure }: { failure: Failure },
): Next<State, Command> {
  return refuse(state, failure)
}
