import { flow, type Next } from '@portico/flow'
import type { LoginOutcome, TwoFactorOptions } from '@portico/rules/login-outcome'
import type { PartnerOnboardingStep } from '@portico/rules/partner-onboarding-step'
import { ACCOUNT_LOCKED, type Failure, UNEXPECTED } from '@portico/shell/failure'
import type { Arrival, Borrower } from './arrival.ts'

/** Whom a token belongs to. */
export interface Owner {
  readonly uuid: string
  readonly email: string
  readonly passwordExpired: boolean
}

interface SignedIn extends Arrival {
  readonly jwt: string
}
interface Known extends SignedIn {
  readonly email: string
}

/**
 * Partner onboarding (§4.7): a borrower whom a partner sent enters the code of a mail, or follows its link, and chooses a
 * password.
 */
export type State =
  | ({ step: 'arriving' } & Arrival)
  /** The browser has another person's session, which nothing may end unasked. */
  | ({ step: 'otherSession'; email: string } & Arrival)
  | ({ step: 'endingSession' } & Arrival)
  | ({
      step: 'confirming'
      loginUuid: string
      code: string
      busy: boolean
      failure?: Failure
    } & Arrival)
  | ({ step: 'verifying' } & Arrival)
  | ({ step: 'sending' } & Arrival)
  | ({ step: 'code'; loginUuid: string; justSent: boolean } & Arrival)
  | ({ step: 'secondFactor'; options: TwoFactorOptions } & Arrival)
  | ({ step: 'checking' } & SignedIn)
  | ({ step: 'password' } & Known)
  | ({ step: 'startingSession' } & Known)
  | ({ step: 'stopped'; failure: Failure } & Arrival)
  | { step: 'redirecting'; to: string }
  | { step: 'leaving' }

/** What partner onboarding hears. */
export type Event =
  | { type: 'sessionFound'; jwt: string; owner: Owner }
  | { type: 'linkOpened'; loginUuid: string; code: string }
  | { type: 'nothingFound' }
  | { type: 'replacementConfirmed' }
  | { type: 'sessionKept' }
  | { type: 'sessionEnded' }
  | { type: 'continued' }
  | { type: 'verified'; next: PartnerOnboardingStep }
  | { type: 'codeSent'; loginUuid: string }
  | { type: 'codeResent'; loginUuid: string }
  | { type: 'loginMoved'; to: string }
  | { type: 'codeRedeemed'; outcome: LoginOutcome }
  | { type: 'codeLeft' }
  | { type: 'secondFactorRedeemed'; jwt: string }
  | { type: 'secondFactorLeft' }
  | { type: 'identityRead'; owner: Owner }
  | { type: 'identityIgnored' }
  | { type: 'passwordSet' }
  | { type: 'triedAgain' }
  | { type: 'refused'; failure: Failure }

/** What partner onboarding has done. */
export type Command =
  | { type: 'lookAround'; borrower: Borrower; loginUuid: string | undefined }
  | { type: 'logOut' }
  | { type: 'verify'; borrower: Borrower; loginUuid: string | undefined }
  | { type: 'sendToken'; email: string }
  | { type: 'sendContinueEmail'; borrower: Borrower }
  | { type: 'redeem'; loginUuid: string; code: string }
  | { type: 'keepJwt'; jwt: string }
  | { type: 'readIdentity'; jwt: string }
  | { type: 'keepAddress'; loginUuid: string | undefined; step: 1 | 2 }
  | { type: 'tellRegistered' }
  | { type: 'goToLogin' }
  | { type: 'goToDashboard' }
  | { type: 'leave'; to: string }

/** What partner onboarding begins with. */
export type Input = Arrival

const arrival = ({ borrower, loginUuid }: Arrival): Arrival => ({ borrower, loginUuid })

const verify = ({ borrower, loginUuid }: Arrival): Next<State, Command> => [
  { step: 'verifying', borrower, loginUuid },
  { type: 'verify', borrower, loginUuid },
]

/** A token goes to an address; where only the identity is known, the server knows the address. */
function send(state: Arrival, by: 'sendToken' | 'sendContinueEmail'): Next<State, Command> {
  const { email } = state.borrower
  const command: Command =
    by === 'sendToken' && email !== undefined
      ? { type: 'sendToken', email }
      : { type: 'sendContinueEmail', borrower: state.borrower }
  return [{ step: 'sending', ...arrival(state) }, command]
}

function onward(state: Arrival, next: PartnerOnboardingStep): Next<State, Command> {
  switch (next) {
    case 'goToLogin':
      return [{ step: 'leaving' }, { type: 'goToLogin' }]
    case 'sendToken':
    case 'sendContinueEmail':
      return send(state, next)
    case 'enterCode':
      return state.loginUuid === undefined
        ? send(state, 'sendToken')
        : enterCode(state, state.loginUuid, false)
  }
}

const enterCode = (
  { borrower }: Arrival,
  loginUuid: string,
  justSent: boolean,
): Next<State, Command> => [
  { step: 'code', borrower, loginUuid, justSent },
  { type: 'keepAddress', loginUuid, step: 1 },
]

const stop = (state: Arrival, failure: Failure): Next<State, Command> => [
  { step: 'stopped', ...arrival(state), failure },
]

const redirect = (to: string): Next<State, Command> => [
  { step: 'redirecting', to },
  { type: 'leave', to },
]

function follow(state: Arrival, outcome: LoginOutcome): Next<State, Command> {
  switch (outcome.kind) {
    case 'locked':
      return stop(state, ACCOUNT_LOCKED)
    case 'redirected':
      return redirect(outcome.to)
    case 'twoFactor':
      return [{ step: 'secondFactor', ...arrival(state), options: outcome.options }]
    case 'signedIn':
      return signIn(state, outcome.jwt)
  }
}

/** A valid code stores the jwt and moves to step=2 (§4.7). */
const signIn = (state: Arrival, jwt: string): Next<State, Command> => [
  { step: 'checking', ...arrival(state), jwt },
  { type: 'keepJwt', jwt },
  { type: 'keepAddress', loginUuid: state.loginUuid, step: 2 },
  { type: 'readIdentity', jwt },
]

const SPENT = ['code-wrong', 'code-expired', 'code-used']

/** Whether a code that was refused for this will be refused again. */
export function isSpent({ reason }: Failure): boolean {
  return reason !== undefined && SPENT.includes(reason)
}

/** A link can name one person and carry another's code: nobody goes on as somebody they did not mean to be. */
function isSomebodyElse({ email, identityUuid }: Borrower, owner: Owner): boolean {
  return email === undefined ? owner.uuid !== identityUuid : owner.email !== email
}

const endSession = (state: Arrival): Next<State, Command> => [
  { step: 'endingSession', ...arrival(state) },
  { type: 'logOut' },
]

function admit(state: Arrival, jwt: string, owner: Owner): Next<State, Command> {
  const known = { ...arrival(state), jwt, email: owner.email }
  return owner.passwordExpired
    ? [
        { step: 'password', ...known },
        { type: 'keepAddress', loginUuid: state.loginUuid, step: 2 },
      ]
    : [{ step: 'startingSession', ...known }]
}

/** The table of partner onboarding. */
export const partnerOnboarding = flow<State, Event, Command, Input>({
  name: 'partner-onboarding',
  begin: ({ borrower, loginUuid }) => [
    { step: 'arriving', borrower, loginUuid },
    { type: 'lookAround', borrower, loginUuid },
  ],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    arriving: {
      // A partner's link must not end a session that the person may not have meant to end.
      sessionFound: (state, { jwt, owner }) =>
        isSomebodyElse(state.borrower, owner)
          ? [
              { step: 'otherSession', ...arrival(state), email: owner.email },
              { type: 'keepAddress', loginUuid: state.loginUuid, step: 1 },
            ]
          : admit(state, jwt, owner),
      linkOpened: ({ borrower }, { loginUuid, code }) => [
        { step: 'confirming', borrower, loginUuid, code, busy: false },
        { type: 'keepAddress', loginUuid, step: 1 },
      ],
      nothingFound: verify,
      refused: refuse,
    },
    otherSession: {
      replacementConfirmed: endSession,
      sessionKept: () => [{ step: 'leaving' }, { type: 'goToDashboard' }],
    },
    endingSession: { sessionEnded: verify, refused: refuse },
    confirming: {
      continued: ({ borrower, loginUuid, code, busy }) =>
        busy
          ? [{ step: 'confirming', borrower, loginUuid, code, busy }]
          : [
              { step: 'confirming', borrower, loginUuid, code, busy: true },
              { type: 'redeem', loginUuid, code },
            ],
      codeRedeemed: (state, { outcome }) => follow(state, outcome),
      // A code that is spent stays so; whatever else happened, the link may be tried again.
      refused: (state, { failure }) =>
        isSpent(failure) ? stop(state, failure) : [{ ...state, busy: false, failure }],
    },
    verifying: {
      verified: (state, { next }) => onward(state, next),
      refused: refuse,
    },
    sending: {
      codeSent: (state, { loginUuid }) => enterCode(state, loginUuid, true),
      loginMoved: (_, { to }) => redirect(to),
      refused: refuse,
    },
    code: {
      codeResent: (state, { loginUuid }) => enterCode(state, loginUuid, true),
      codeRedeemed: (state, { outcome }) => follow(state, outcome),
      codeLeft: verify,
    },
    secondFactor: {
      secondFactorRedeemed: (state, { jwt }) => signIn(state, jwt),
      secondFactorLeft: verify,
      refused: refuse,
    },
    checking: {
      identityRead: (state, { owner }) =>
        isSomebodyElse(state.borrower, owner) ? endSession(state) : admit(state, state.jwt, owner),
      // §8: ignored; the session's start reads the identity again and tells what is wrong.
      identityIgnored: (state) => [
        { ...state, step: 'startingSession', email: state.borrower.email ?? '' },
      ],
      refused: refuse,
    },
    password: {
      passwordSet: (state) => [{ ...state, step: 'startingSession' }, { type: 'tellRegistered' }],
    },
    startingSession: { refused: refuse },
    stopped: { triedAgain: verify },
    redirecting: {},
    leaving: {},
  },
})

function refuse(state: Arrival, { failure }: { failure: Failure }): Next<State, Command> {
  return stop(state, failure)
}
